"""The servers that the tests of engines share."""

import pytest
import servers


def test_postgres_server_takes_the_role_with_its_password_only(postgres_server):
    dbapi = pytest.importorskip("adbc_driver_postgresql.dbapi", reason="the extra `postgres` is not installed")
    with dbapi.connect(postgres_server.url) as connection, connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_user, current_setting('fsync'), rolsuper FROM pg_roles WHERE rolname = current_user"
        )
        assert cursor.fetchall() == [(postgres_server.user, "off", False)]
    with pytest.raises(dbapi.OperationalError):
        dbapi.connect(postgres_server.url.replace(postgres_server.password, "wrong"))
    assert "current_setting" in postgres_server.log
    assert postgres_server.password not in postgres_server.log


def test_spark_has_two_executors(spark_cluster):
    assert len(servers.executors(spark_cluster)) == 2
    assert spark_cluster.range(3).count() == 3
