SELECT sqlite_version() AS version
