-- The number of the transaction: outside of one that was begun, each statement has its own.
SELECT txid_current()
