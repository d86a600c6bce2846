"""Makes numba compile in less time: most of a compilation is Python code that types and lowers, not LLVM.

Three things cost nearly half of it.  The types of a call, such as float * float, are looked for in all templates of the function
at every place where it occurs; here they are found once per process.  A function that is called as f(x, 0) and f(x, 1) is
compiled once for each of these numbers; here once for any.  And Python's garbage collector goes again and again through the
syntax trees, of which nothing is garbage before the kernel is done.
"""

from __future__ import annotations

import gc
from typing import Any

from numba.core import event
from numba.core.dispatcher import _DispatcherBase
from numba.core.targetconfig import ConfigStack
from numba.core.types import Array, BaseTuple, Boolean, IntegerLiteral, Literal, NoneType, Number, SliceType, unliteral  # type: ignore[attr-defined]
from numba.core.types.functions import BaseFunction

# what a call's types are found for once: types that are told apart by equality, and lead to no code of their own
PLAIN = (Number, Boolean, Literal, Array, BaseTuple, NoneType, SliceType)
# options of a kernel that numba hands on to the code of the calls in it
INHERITED = ("error_model", "fastmath", "boundscheck", "nrt", "forceinline", "auto_parallel")
# thresholds of the garbage collector while numba compiles, the first seven times as high as usual
FEW_COLLECTIONS = (5_000, 20, 100)

_search, _template = BaseFunction.get_call_type, _DispatcherBase.get_call_template
_Found = dict[tuple[Any, ...], tuple[Any, Any]]  # types and flags -> signature, key of the implementation


def _inherited() -> tuple[str, ...]:
    """The options that the kernel being compiled hands on."""
    flags = ConfigStack.top_or_none()
    return () if flags is None else tuple(str(getattr(flags, name, None)) for name in INHERITED)


def _call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
    """`BaseFunction.get_call_type`, remembered."""
    if kws or not all(isinstance(arg, PLAIN) for arg in args):
        return _search(self, context, args, kws)
    found: _Found = self.__dict__.setdefault("_trundle_found", {})
    key = (id(context), tuple(args), _inherited())
    if key not in found:
        signature = _search(self, context, args, kws)
        found[key] = signature, self.get_impl_key(signature)
    signature, implementation = found[key]
    self._impl_keys[signature.args] = implementation  # numba keeps one per signature: that of the kernel being compiled
    return signature


def _template_of_any_number(self: Any, args: Any, kws: Any) -> Any:
    """`get_call_template` of a kernel, of one for any integer where it is called with a certain one."""
    if self.py_func.__module__.startswith(f"{__package__}."):
        args = tuple(unliteral(arg) if isinstance(arg, IntegerLiteral) else arg for arg in args)
    return _template(self, args, kws)


class _FewCollections(event.Listener):
    """Lets the garbage collector run less often as long as the compiler's lock is held."""

    def __init__(self) -> None:
        self._depth, self._usual = 0, gc.get_threshold()

    def on_start(self, _: Any) -> None:
        if self._depth == 0:
            self._usual = gc.get_threshold()
            if 0 < self._usual[0] < FEW_COLLECTIONS[0]:  # 0: switched off
                gc.set_threshold(*FEW_COLLECTIONS)
        self._depth += 1

    def on_end(self, _: Any) -> None:
        self._depth -= 1
        if self._depth == 0 and gc.get_threshold() == FEW_COLLECTIONS:
            gc.set_threshold(*self._usual)


def hasten() -> None:
    """Do so from now on, once per process."""
    if BaseFunction.get_call_type is _search:
        BaseFunction.get_call_type = _call_type  # type: ignore[method-assign]
        _DispatcherBase.get_call_template = _template_of_any_number  # type: ignore[method-assign]
        event.register("numba:compiler_lock", _FewCollections())
