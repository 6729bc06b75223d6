# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks records, pools of entities and their lines in models in Python.

A record is replaced by its fields: those of a record in a variable become variables, and those of records in an array or
a pool become arrays.
"""

from __future__ import annotations

import ast
from typing import Any, Optional

from .intervals import union
from .language import Array, Record, Tool, Type
from .records import record_of
from .statements import Statements, uses
from .tree import Expr, Stmt
from .words import a_or_an, listed


def _is_range(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range"


class RecordStatements(Statements):
    """Checks the statements of a function that use records, and turns them into statements that use their fields."""

    def _type_of(self, node: ast.AST) -> Optional[Type]:
        return self.types.get(node.id) if isinstance(node, ast.Name) else None

    # Fields

    def _field(self, node: ast.AST) -> Optional[Expr]:
        """Returns a field as an expression, or None if the node is none."""
        if not isinstance(node, ast.Attribute):
            return None
        owner = node.value
        element = owner if isinstance(owner, ast.Subscript) else None
        holder = element.value if element is not None else owner
        kind = self._type_of(holder)
        record = kind.record if isinstance(kind, Tool) else kind
        if not isinstance(record, Record):
            return None
        if isinstance(kind, Tool) and element is None:
            if record.kind_of(node.attr) is None:
                return None
            self.refuse(node, f"{holder.id} holds records: index it, such as {holder.id}[number].{node.attr}")  # type: ignore[attr-defined]
        assert isinstance(holder, ast.Name)
        self._name(holder)  # refuses one without a value
        field_kind = record.kind_of(node.attr)
        if field_kind is None:
            names = listed([name for name, _, _ in record.fields])
            self.refuse(node, f"{record.name} has no field {node.attr}: it has {names}")
        name = f"{holder.id}.{node.attr}"
        if element is None:
            if record.size:
                self.refuse(node, f"{holder.id} is an array of records: index it, such as {holder.id}[i].{node.attr}")
            return Expr("variable", field_kind, node, (), name)
        if not isinstance(kind, Tool) and not record.size:
            self.refuse(node, f"{holder.id} is a record and has no elements: write {name}")
        if not isinstance(kind, Tool):
            array = ast.copy_location(ast.Name(name, ast.Load()), holder)
            return super()._index(ast.copy_location(ast.Subscript(array, element.slice, ast.Load()), node))
        fields = Expr("variable", Array(field_kind, (kind.slots,)), node, (), name)
        number = self._entity(element.slice, holder.id, kind)
        return self._make("index", field_kind, node, [fields, number], (kind.slots, False))

    def _entity(self, node: ast.AST, pool: str, tool: Tool) -> Expr:
        """Returns the number of an entity, which must be in the pool when the model runs."""
        number = self._convert(self._number(node), "int", node)
        made = self._make("method", "int", node, [number], (pool, tool, "_number"))
        made.reads |= {pool}
        self.tree.checks = True
        return made

    def _attribute(self, node: ast.Attribute) -> Expr:
        field = self._field(node)
        return field if field is not None else super()._attribute(node)

    def _index(self, node: ast.AST) -> Expr:
        assert isinstance(node, ast.Subscript)
        kind = self._type_of(node.value)
        if isinstance(kind, Record) or (isinstance(kind, Tool) and kind.record):
            self.refuse(node, "a record is used as a value: use one of its fields, such as a[i].x")
        return super()._index(node)

    def _store(self, node: ast.stmt, target: ast.AST, value: Expr) -> Stmt:
        place = self._field(target)
        if place is None:
            return super()._store(node, target, value)
        converted = self._convert(value, str(place.type), node)
        if place.op == "variable":
            return Stmt("assign", node, (converted,), (place.data,))
        self._ordered(node, [place, converted])
        return Stmt("store", node, (place, converted))

    # New records

    def _assign(self, node: ast.Assign) -> Any:
        target = node.targets[0]
        if len(node.targets) == 1:
            made = self._new_records(node, target, node.value)
            if made is not None:
                return made
        return super()._assign(node)

    def _new_records(self, node: ast.Assign, target: ast.AST, value: ast.AST) -> Optional[list[Stmt]]:
        """Returns the statements of an assignment of a new record, array of records or entity; None for others."""
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "add":
            pool = self._type_of(value.func.value)
            if isinstance(pool, Tool) and pool.record:
                return self._new_entity(node, target, value, pool)
        call, size = value, 0
        if isinstance(value, ast.ListComp) and len(value.generators) == 1:
            loop = value.generators[0]
            if _is_range(loop.iter) and not loop.ifs and record_of(self._class(value.elt)):
                assert isinstance(loop.iter, ast.Call)
                call, size = value.elt, self._size(loop.iter.args[0] if len(loop.iter.args) == 1 else loop.iter)
        if isinstance(value, (ast.List, ast.BinOp)):
            inner = value.left if isinstance(value, ast.BinOp) else value
            if isinstance(inner, ast.List) and inner.elts and record_of(self._class(inner.elts[0])):
                name = self._class(inner.elts[0]).__name__
                self.refuse(node, f"this array of records is not in the subset: write [{name}(...) for _ in range(8)]")
        record = record_of(self._class(call))
        if record is None:
            return None
        if not isinstance(target, ast.Name):
            self.refuse(node, "a new record is assigned to a variable: assign the fields, such as a[i].x = 1.0")
        assert isinstance(call, ast.Call)
        values = self._values_of(call, record)
        self._check_name(target, target.id)
        kind = Record(record.name, record.fields, size)
        known = self.types.get(target.id, self.hints.get(target.id, kind))
        if known != kind:
            self.refuse(node, f"{target.id} is {a_or_an(known)} and becomes {a_or_an(kind)}: use another variable")
        self.types[target.id] = kind
        self._now_assigned(target.id)
        names = self._new_fields(target.id, kind, size)
        if not size:
            if any(uses(one, set(names)) for one in values):
                return [Stmt("parallel", node, tuple(values), tuple(names))]
            return [Stmt("assign", node, (value,), (name,)) for name, value in zip(names, values)]
        if not all(one.is_pure for one in values):
            self.refuse(node, "the fields of new records are drawn: assign them in a loop")
        arrays = [self.types[name] for name in names]
        return [Stmt("array", node, (value,), (name,), data=kind) for name, kind, value in zip(names, arrays, values)]

    def _new_fields(self, owner: str, record: Record, size: int) -> list[str]:
        """Declares the variables of the fields and returns their names."""
        names = []
        for field, kind, _ in record.fields:
            name = f"{owner}.{field}"
            self.types[name] = Array(kind, (size,)) if size else kind
            self._now_assigned(name)
            names.append(name)
        return names

    def _class(self, node: ast.AST) -> Any:
        return self._object(node.func) if isinstance(node, ast.Call) else None

    def _values_of(self, node: ast.Call, record: Record) -> list[Expr]:
        """Returns the values of the fields that a call of a record's class gives."""
        given: dict[str, ast.AST] = dict(zip([name for name, _, _ in record.fields], node.args))
        for keyword in node.keywords:
            if keyword.arg in given or record.kind_of(str(keyword.arg)) is None:
                names = listed([name for name, _, _ in record.fields])
                self.refuse(node, f"{record.name} has no such field {keyword.arg}: it has {names}")
            given[str(keyword.arg)] = keyword.value
        values = []
        for name, kind, default in record.fields:
            if name in given:
                values.append(self._convert(self._number(given[name]), kind, given[name]))
            elif default is None or len(node.args) > len(record.fields):
                self.refuse(node, f"{record.name} takes {listed([one for one, _, _ in record.fields])}: give these fields")
            else:
                values.append(Expr("constant", kind, node, (), default))
        if "ticket" in (kind for _, kind, _ in record.fields):
            self.model.tools.add("Calendar")
        self._ordered(node, values)
        return values

    # Pools

    def _new_entity(self, node: ast.Assign, target: ast.AST, call: ast.Call, pool: Tool) -> list[Stmt]:
        function = call.func
        assert isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and pool.record
        owner, record = function.value.id, pool.record
        given = call.args[0] if len(call.args) == 1 and not call.keywords else None
        if not isinstance(given, ast.Call) or record_of(self._class(given)) != record:
            self.refuse(node, f"{owner}.add takes a new {record.name}: write {owner}.add({record.name}(...))")
        if not isinstance(target, ast.Name):
            self.refuse(node, f"the number of an entity is assigned to a variable: write number = {owner}.add(...)")
        values = self._values_of(given, record)
        number = Expr("constant", "int", node, (), 0)
        self._set(node, target, number)
        if self.types[target.id] != "int":
            self.refuse(node, f"{target.id} is {a_or_an(self.types[target.id])} and becomes an int: use another variable")
        self.ranges[target.id] = union(self.ranges[target.id], (0, pool.slots - 1))
        self.tree.checks = True
        fields = tuple(f"{owner}.{field}" for field, _, _ in record.fields)
        return [Stmt("add", node, tuple(values), (target.id,), data=(owner, fields))]

    def _tool_of(self, node: ast.AST) -> Optional[tuple[Tool, list[Expr]]]:
        name = getattr(self._class(node), "__name__", "")
        if name not in ("EntityPool", "Line") or not self._class(node).__module__.startswith("sporos"):
            return super()._tool_of(node)
        assert isinstance(node, ast.Call)
        if name == "Line":
            pool = self._type_of(node.args[0]) if len(node.args) == 1 and not node.keywords else None
            if not isinstance(pool, Tool) or pool.name != "EntityPool":
                self.refuse(node, "Line takes its pool: write line = sporos.Line(pool), after the line that makes the pool")
            assert isinstance(node.args[0], ast.Name)
            return Tool("Line", pool=node.args[0].id), []
        record = record_of(self._object(node.args[0])) if len(node.args) == 2 and not node.keywords else None
        if record is None:
            self.refuse(
                node, "EntityPool takes a class under @sporos.record and its room: write sporos.EntityPool(Customer, 64)"
            )
        if any(kind == "ticket" for _, kind, _ in record.fields):
            self.model.tools.add("Calendar")
        return Tool("EntityPool", self._size(node.args[1], "the room of EntityPool"), record), []

    def _new_tool(self, node: ast.stmt, target: ast.Name, tool: Tool, values: list[Expr]) -> Any:
        made = super()._new_tool(node, target, tool, values)
        if tool.record is None:
            return made
        rooms = []
        for field, kind, _ in tool.record.fields:
            name = f"{target.id}.{field}"
            self.types[name] = Array(kind, (tool.slots,))
            self._now_assigned(name)
            rooms.append(Stmt("room", node, (), (name,), data=self.types[name]))
        return [made, *rooms]

    def _method(self, node: ast.Call, function: ast.Attribute, owner: str, tool: Tool) -> Expr:
        if tool.record and function.attr == "add":
            self.refuse(node, f"the number of an entity is assigned to a variable: write number = {owner}.add(...)")
        made = super()._method(node, function, owner, tool)
        if tool.name in ("EntityPool", "Line"):
            self.tree.checks = True
        if tool.pool:
            made.changes |= {tool.pool} if made.changes else set()
            made.reads |= set() if made.changes else {tool.pool}
        return made

    def _for(self, node: ast.For) -> Stmt:
        if isinstance(self._type_of(node.iter), Record):
            self.refuse(node.iter, "a loop over records is not in the subset: write for i in range(len(records))")
        return super()._for(node)

