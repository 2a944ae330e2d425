"""A server that speaks Snowflake's protocol, with DuckDB behind it: run in the environment that has fakesnow.

Arguments are the port and the password. What fakesnow lacks and Snowflake has: the time zone of a session, which is
always UTC there, and missing timestamps, which it sends as 1970.
"""

import sys
from importlib import import_module

import fakesnow.arrow
import pyarrow as pa
import pyarrow.compute as pc
import uvicorn
from fakesnow.instance import FakeSnow
from starlette.responses import JSONResponse

_structs, _connect = fakesnow.arrow.timestamp_to_sf_struct, FakeSnow.connect


def timestamps(values):
    made = _structs(values)
    fields = [pc.fill_null(field, 0) for field in made.flatten()]
    missing = pa.array(values.is_null().to_pylist(), pa.bool_())
    return pa.StructArray.from_arrays(fields, fields=list(made.type), mask=missing)


def connect(self, database=None, schema=None, nop_regexes=None, **options):
    return _connect(self, database, schema, nop_regexes=["ALTER SESSION SET TIMEZONE"], **options)


class Checked:
    """The application, behind a check of the password."""

    def __init__(self, app, password):
        self.app, self.password = app, password

    async def __call__(self, scope, receive, send):
        if scope["type"] == "http" and scope["path"] == "/session/v1/login-request":
            message = await receive()
            if self.password.encode() not in message["body"]:
                refused = {"success": False, "code": "390100", "data": {}}
                refused["message"] = "Incorrect username or password was specified."
                await JSONResponse(refused)(scope, receive, send)
                return

            async def again():
                return message

            await self.app(scope, again, send)
            return
        await self.app(scope, receive, send)


if __name__ == "__main__":
    fakesnow.arrow.timestamp_to_sf_struct = timestamps
    FakeSnow.connect = connect
    application = import_module("fakesnow.server").app  # the package has a function of that name
    uvicorn.run(Checked(application, sys.argv[2]), port=int(sys.argv[1]), log_level="error")
