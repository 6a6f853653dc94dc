"""Stands in for the types of requests: each takes any field."""


class _Fields:
    def __init__(self, **given):
        self._given = given

    def fields(self):
        return {name: value.fields() if isinstance(value, _Fields) else value for name, value in self._given.items()}


class LiveV2InitRequest(_Fields):
    pass


class LiveV2MessagesConfig(_Fields):
    pass
