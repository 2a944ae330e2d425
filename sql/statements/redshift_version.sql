SELECT version() AS "version"
