-- The registration that the functions of this database belong to.
SELECT synthpriv_session(0)
