"""URLs of warehouses: what drivers are given, what is never shown, and what is said without a driver."""

import logging
import sys

import pytest

import synthpriv_sql
from synthpriv_sql import errors
from synthpriv_sql.engines.bigquery import driver as bigquery
from synthpriv_sql.engines.databricks import engine as databricks
from synthpriv_sql.engines.postgres import address
from synthpriv_sql.engines.snowflake import driver as snowflake

SECRETS = {"SNOWFLAKE_PASSWORD": "s3cret", "SNOWFLAKE_TOKEN": "t0ken", "SNOWFLAKE_PRIVATE_KEY_PASSPHRASE": "phr4se"}


def test_what_snowflake_is_given(monkeypatch):
    found = snowflake.read("snowflake://me:p%40ss@org-acct/bank/shop?warehouse=w+1&role=r&private_key_file=/k.p8")
    options = found.options
    assert (options["adbc.snowflake.sql.account"], options["adbc.snowflake.sql.db"]) == ("org-acct", "bank")
    assert (options["adbc.snowflake.sql.schema"], options["adbc.snowflake.sql.warehouse"]) == ("shop", "w+1")
    assert options["adbc.snowflake.sql.client_option.jwt_private_key"] == "/k.p8"
    assert (found.shown, repr(found)) == ("snowflake://org-acct/bank/shop", "Address('snowflake://org-acct/bank/shop')")
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    found = snowflake.read("snowflake://me@acct/bank?authenticator=pat")
    assert found.options["adbc.snowflake.sql.client_option.auth_token"] == "t0ken"
    assert found.without_secrets("s3cret t0ken phr4se") == "*** *** ***"
    assert not any(secret in repr(found) for secret in SECRETS.values())


def test_what_redshift_is_given():
    found = address.read("redshift://me:p%40ss@cluster/bank?sslmode=require", "Redshift", 5439)
    assert found.uri.startswith("postgresql://me:p%40ss@cluster/bank?")
    assert "port=5439" in found.uri
    assert (found.shown, found.without_secrets("p@ss")) == ("redshift://cluster/bank", "***")
    assert "port=" not in address.read("redshift://me@cluster:5440/bank", "Redshift", 5439).uri
    with pytest.raises(errors.OptionError, match="the Redshift database cannot be read") as refused:
        address.read("redshift://me:s3cret@cluster:x/bank", "Redshift", 5439)
    assert "s3cret" not in str(refused.value)


def test_what_bigquery_is_given():
    found = bigquery.read(
        "bigquery://my-project/shop?location=EU&billing_project=pays&endpoint=https://private.example"
    )
    assert found.options == {
        "project": "my-project",
        "dataset": "my-project.shop",
        "billing": "pays",
        "location": "EU",
        "endpoint": "https://private.example",
    }
    assert (found.shown, found.secrets) == ("bigquery://my-project/shop", ())
    assert bigquery.read("bigquery://my-project").options["billing"] == "my-project"


def test_what_databricks_is_given(monkeypatch):
    monkeypatch.delenv("DATABRICKS_CLUSTER_ID", raising=False)
    found = databricks.read("databricks://token:dapi%3B1@acct.example?cluster_id=0123-45-a")
    # The URL of Spark Connect that Databricks documents.
    assert found.uri == "sc://acct.example:443/;token=dapi%3B1;x-databricks-cluster-id=0123-45-a"
    assert (found.shown, found.without_secrets("no dapi;1")) == ("databricks://acct.example", "no ***")
    monkeypatch.setenv("DATABRICKS_TOKEN", "t0ken")
    monkeypatch.setenv("DATABRICKS_CLUSTER_ID", "here")
    found = databricks.read("databricks://acct.example:8443")
    assert found.uri == "sc://acct.example:8443/;token=t0ken;x-databricks-cluster-id=here"
    assert "t0ken" not in repr(found)


@pytest.mark.parametrize(
    ("rest", "problem"),
    [
        ("token:s3cret@acct", "names no cluster"),
        ("acct?cluster_id=a", "names no token"),
        ("?cluster_id=a", "names no workspace"),
        ("token:s3cret@acct/path?cluster_id=a", "has a path"),
        ("token:s3cret@acct?cluster_id=a&colour=red", "unknown option"),
    ],
)
def test_a_url_of_databricks_that_cannot_be_read(rest, problem, monkeypatch):
    for name in ("DATABRICKS_TOKEN", "DATABRICKS_CLUSTER_ID"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(errors.OptionError, match="cannot be read") as refused:
        databricks.read(f"databricks://{rest}")
    assert problem in str(refused.value)
    assert "s3cret" not in str(refused.value)


@pytest.mark.parametrize(
    ("rest", "problem"),
    [
        ("", "names no project"),
        ("me:s3cret@project/shop", "a user, a password or a port"),
        ("project:1/shop", "a user, a password or a port"),
        ("project/shop/more", "a / too many"),
        ("project/shop?colour=red", "unknown option"),
        ("project/shop?endpoint=private.example", "endpoint is a URL"),
    ],
)
def test_a_url_of_bigquery_that_cannot_be_read(rest, problem):
    with pytest.raises(errors.OptionError, match="cannot be read") as refused:
        bigquery.read(f"bigquery://{rest}")
    assert problem in str(refused.value)
    assert "s3cret" not in str(refused.value)


@pytest.mark.parametrize(
    ("rest", "problem"),
    [
        ("acct", "names no account or no database"),
        ("me:p@acct:port/bank", "port"),
        ("me:p@acct/a/b/c", "a / too many"),
        ("me:p@acct/bank?colour=red", "unknown option"),
        ("me:p@acct/bank?authenticator=none", "authenticator is one of"),
        ("me:s3cret@x@acct/bank#y", "after the host"),
    ],
)
def test_a_url_that_cannot_be_read(rest, problem):
    with pytest.raises(errors.OptionError, match="cannot be read") as refused:
        snowflake.read(f"snowflake://{rest}")
    assert problem in str(refused.value)
    assert "s3cret" not in str(refused.value)


@pytest.mark.parametrize(
    ("url", "package", "extra"),
    [
        ("snowflake://me:s3cret@acct/bank", "adbc_driver_snowflake", "snowflake"),
        ("redshift://me:s3cret@cluster/bank", "adbc_driver_postgresql", "redshift"),
        ("bigquery://s3cret/bank", "google.cloud.bigquery", "bigquery"),
        ("databricks://token:s3cret@acct?cluster_id=a", "grpc", "databricks"),
    ],
)
def test_a_driver_that_is_missing_is_named(url, package, extra, monkeypatch, caplog):
    monkeypatch.setitem(sys.modules, package, None)
    with caplog.at_level(logging.DEBUG), pytest.raises(errors.OptionError) as missing:
        synthpriv_sql.connect(url)
    assert f'needs {package}, which is not installed: pip install "synthpriv-sql[{extra}]"' in str(missing.value)
    assert "s3cret" not in str(missing.value) + caplog.text
