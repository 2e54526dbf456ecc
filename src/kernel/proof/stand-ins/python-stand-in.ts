/**
 * A module in which every attribute throws when it is used. Names with double underscores stay absent, because the
 * import system looks for them. A stand-in has no attributes with a leading underscore: pytest looks for
 * `_pytestfixturefunction` on every imported name. It has `__name__`, which pytest uses in names of cases, and it can
 * be a base class.
 */
const STAND_IN = `
class _NotWritten(BaseException):
    pass


class _Base:
    def __init__(self, *_args, **_kwargs):
        pass

    def __init_subclass__(cls, **_kwargs):
        pass

    def __getattr__(self, name):
        if name.startswith('_'):
            raise AttributeError(name)
        raise _NotWritten(name + ' is not written yet')


class _StandIn:
    def __init__(self, name):
        self.__dict__['_name'] = name
        self.__dict__['__name__'] = name

    def __mro_entries__(self, _bases):
        return (_Base,)

    def _fail(self, *_args, **_kwargs):
        raise _NotWritten(self._name + ' is not written yet')

    def __getattr__(self, name):
        if name.startswith('_'):
            raise AttributeError(name)
        self._fail()

    __call__ = __getitem__ = __iter__ = __len__ = __contains__ = __enter__ = __await__ = _fail
    __bool__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _fail
    __add__ = __radd__ = __sub__ = __mul__ = __int__ = __float__ = __index__ = _fail
    __hash__ = object.__hash__


def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError(name)
    return _StandIn(name)
`;

/** Returns the module with stand-ins for all missing names. */
export function withPythonStandIn(source: string): string {
  return `${source}\n${STAND_IN}`;
}
