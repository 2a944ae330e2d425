"""Delta and Iceberg tables: read by their own libraries as streams of Arrow."""
