SELECT current_version() AS "version"
