/*
summary = "What the statistics of a distribution are called, and what each means for a reader."
part = true
*/
SELECT 'n' AS statistic, 1 AS place, 'How many records were measured.' AS meaning
UNION ALL SELECT 'min', 2, 'The closest that any record comes.'
UNION ALL SELECT 'p01', 3, 'One record in a hundred comes closer than this.'
UNION ALL SELECT 'p05', 4, 'One record in twenty comes closer than this.'
UNION ALL SELECT 'p25', 5, 'One record in four comes closer than this.'
UNION ALL SELECT 'median', 6, 'Half of the records come closer than this.'
UNION ALL SELECT 'p75', 7, 'Three records in four come closer than this.'
UNION ALL SELECT 'mean', 8, 'The average over all records.'
UNION ALL SELECT 'max', 9, 'The farthest that any record is.'
UNION ALL SELECT 'share_zero', 10, 'The share of records at 0: nothing tells them from a real record.'
