"""The functions of sql/ as methods.

Each is created from its header on first access, because parsing all headers takes longer than importing the package.
``methods.pyi``, generated from the same headers by ``make methods``, is for editors and type checkers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from threading import Lock
from typing import Any, Literal, Never, TypeAlias, TypedDict  # noqa: F401 - annotations name Literal and Never

from synthpriv_sql.language.spoken import speaking
from synthpriv_sql.planner.headers import catalog, signatures
from synthpriv_sql.progress import Progress  # noqa: F401 - annotations name it
from synthpriv_sql.remedies.result import Remedy  # noqa: F401 - annotations name it
from synthpriv_sql.report.evaluation import Evaluation
from synthpriv_sql.results.result import Result

Table: TypeAlias = Any
Attack: TypeAlias = Callable[[Any, Any], Any]
OneAttack: TypeAlias = str | Attack | Mapping[str, Attack]
Attacks: TypeAlias = OneAttack | Sequence[OneAttack]


def __getattr__(name: str) -> Any:
    if name != "EvaluateOptions":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    options = TypedDict(name, signatures.options(catalog.function("evaluate")), total=False)
    options.__doc__ = "The options of `evaluate`."
    return globals().setdefault(name, options)


class _Method:
    """Descriptor that creates the method of a function on first access."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, instance: Methods | None, owner: type[Methods]) -> Any:
        with _making:
            if vars(Methods)[self.name] is self:
                setattr(Methods, self.name, _made(self.name))
        return getattr(owner if instance is None else instance, self.name)


_making = Lock()


def _made(name: str) -> Callable[..., Result]:
    """Return the method of a function."""
    function = catalog.function(name)
    signature = signatures.signature(function)

    def method(*positional: Any, **named: Any) -> Result:
        try:
            bound = signature.bind(*positional, **named)
        except TypeError as error:
            raise TypeError(f"{method.__qualname__}(): {error}") from None
        bound.apply_defaults()
        given = bound.arguments
        session, surplus, unknown = given.pop("self"), given.pop("surplus", ()), given.pop("unknown")
        with speaking(given.pop("language")) if "language" in given else nullcontext():
            result = session.call(name, *surplus, **given, **unknown)
            return Evaluation.of(result) if signature.return_annotation == "Evaluation" else result

    annotations = {p.name: p.annotation for p in signature.parameters.values() if p.annotation is not p.empty}
    method.__annotations__ = annotations | {"return": signature.return_annotation}
    method.__doc__ = signatures.help_text(function)
    method.__name__, method.__qualname__ = name, f"Methods.{name}"
    method.__signature__ = signature
    return method


class Methods(ABC):
    """A method for each function, which calls `call`."""

    @abstractmethod
    def call(self, function: str, /, *surplus: Any, **given: Any) -> Result:
        """Call a function by its name."""


for _name in catalog.names():
    setattr(Methods, _name, _Method(_name))
