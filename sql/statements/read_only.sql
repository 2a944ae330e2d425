-- Begins what writes to no database, and reads all tables as of one moment.
BEGIN TRANSACTION READ ONLY
