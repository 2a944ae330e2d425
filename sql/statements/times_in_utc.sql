SET TimeZone = 'UTC'
