"""Delta and Iceberg tables, read by their libraries as Arrow streams."""
