-- Times in UTC, differences that may be negative, texts by their bytes, joins by hashes: those of this connection alone.
SET SESSION
  sql_mode = 'STRICT_ALL_TABLES,NO_UNSIGNED_SUBTRACTION', time_zone = '+00:00', join_cache_level = 8,
  character_set_client = utf8mb4, character_set_results = utf8mb4, collation_connection = utf8mb4_nopad_bin
