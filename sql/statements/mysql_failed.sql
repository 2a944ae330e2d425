-- The message of a check that failed.
SELECT @synthpriv_failed AS message
