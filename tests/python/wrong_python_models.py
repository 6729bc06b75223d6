# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bodies of functions that are refused, with the message and the column. ^ marks the line that is refused."""

PROLOGUE = """import math
import os

import numpy
import sporos

NAMES = ("a", "b")
WORD = "x"


class Helper:
    pass


@sporos.record
class Customer:
    arrival: float
    rank: int = 0


@sporos.model
class Model:
    rate: float = 1.0
    count: int = 3
    inputs = ("service", "other")
    responses = ("cost",)

    def replicate(self, draw):
"""
"""The text before a body, which is indented by 8 spaces."""

POOL = "pool = sporos.EntityPool(Customer, 8)\nline = sporos.Line(pool)\n"

WRONG = [
    ("x = 'text'  #^\nreturn 0.0", "a string is not in the subset: models compute with float, int and bool", 4),
    ("x = None  #^\nreturn 0.0", "None is not in the subset: models compute with float, int and bool", 4),
    ("x = {}  #^\nreturn 0.0", "a dictionary is not in the subset: use an array with int indices", 4),
    ("x = {1, 2}  #^\nreturn 0.0", "a set is not in the subset: use an array", 4),
    ("x = []  #^\nreturn 0.0", "an empty list is not in the subset: arrays have a fixed size, such as [0.0] * 8", 4),
    (
        "x = [i for i in range(3)]  #^\nreturn 0.0",
        "a comprehension is not in the subset: fill an array, such as [0.0] * 8, in a loop",
        4,
    ),
    (
        "x = sum(i for i in range(3))  #^\nreturn 0.0",
        "this call of sum is not in the subset: add the numbers in a loop",
        4,
    ),
    ("x = lambda y: y  #^\nreturn 0.0", "lambda is not in the subset: define a function at the top of the file", 4),
    ("x = f'{1}'  #^\nreturn 0.0", "a string is not in the subset: models compute with numbers", 4),
    ("x = 1j  #^\nreturn 0.0", "a complex number is not in the subset: models compute with float, int and bool", 4),
    (
        "x = 1 << 3  #^\nreturn x",
        "operators of bits and matrices are not in the subset: use arithmetic, and, or, not",
        4,
    ),
    ("x = ~3  #^\nreturn x", "~ is not in the subset: use not, or arithmetic", 4),
    ("x = 2 ** 3  #^\nreturn x", "int ** int is not in the subset: write x * x, or float(x) ** n", 4),
    (
        "x = 9223372036854775808  #^\nreturn x",
        "9223372036854775808 has more than 64 bits: write a float, such as 9.223372036854776e+18",
        4,
    ),
    ("x = True + 1  #^\nreturn x", "a bool is used in arithmetic: convert it by int(...)", 4),
    (
        "x = 1\nif x:  #^\n    x = 2\nreturn x",
        "the condition is an int, expected a bool: compare it, such as x != 0",
        3,
    ),
    (
        "x = 1\nwhile x:  #^\n    x = 0\nreturn x",
        "the condition is an int, expected a bool: compare it, such as x != 0",
        6,
    ),
    ("x = 1.0 and 2.0  #^\nreturn x", "a float in and/or, expected a bool: compare it, such as x != 0", 4),
    ("x = not 1  #^\nreturn 0.0", "the condition is an int, expected a bool: compare it, such as x != 0", 8),
    ("x = 1 is 1  #^\nreturn 0.0", "is and in are not in the subset: use == or a loop", 4),
    ("x = 1 in (1, 2)  #^\nreturn 0.0", "is and in are not in the subset: use == or a loop", 4),
    ("x = 1 / 0  #^\nreturn x", "the divisor is 0: divide by another number", 4),
    ("x = 7 % 0  #^\nreturn x", "the divisor is 0: divide by another number", 4),
    ("return y  #^", "the name y is not defined: assign it first", 7),
    (
        "if self.rate > 1:\n    x = 1.0\nreturn x  #^",
        "x may have no value here: assign it before the if or the loop",
        7,
    ),
    (
        "for i in range(3):\n    x = 1.0\nreturn x  #^",
        "x may have no value here: assign it before the if or the loop",
        7,
    ),
    ("for i in range(3):\n    pass\nreturn i  #^", "i may have no value here: assign it before the if or the loop", 7),
    (
        "for i in range(3):\n    i = 2  #^\nreturn 0.0",
        "i is the variable of a loop around this line: use another variable",
        4,
    ),
    ("x = 1.0\nx = True  #^\nreturn 0.0", "x is a float and becomes a bool: use another variable", 0),
    ("x = [0.0] * 3\ny = x  #^\nreturn 0.0", "y would be a second name of an array: copy its elements in a loop", 0),
    (
        "x = [0.0] * self.count  #^\nreturn 0.0",
        "the size of an array must be a constant int above 0: write the number, or a name of one",
        12,
    ),
    (
        "x = [0.0] * 0  #^\nreturn 0.0",
        "the size of an array must be a constant int above 0: write the number, or a name of one",
        12,
    ),
    ("x = [0.0] * 100000  #^\nreturn 0.0", "the array has 100000 elements, expected at most 65536", 4),
    ("x = [0.0] * 3\nreturn x[3]  #^", "the index 3 is outside of the array of 3 elements: use -3 to 2", 7),
    ("x = [0.0] * 3\nreturn x[0.5]  #^", "the index is a float, expected an int: convert it by int(...)", 9),
    ("x = [0.0] * 3\nreturn x  #^", "an array is used as a number: use one of its elements, such as a[0]", 7),
    (
        "x = [0.0] * 3\ny = x[0:2]  #^\nreturn 0.0",
        "a slice or a tuple as index is not in the subset: write a[i], or a[i][j]",
        4,
    ),
    (
        "x = [0.0] * 3\nx.append(1.0)  #^\nreturn 0.0",
        "an array has no append: its size is fixed; keep the number of used elements",
        0,
    ),
    ("x = 1.0\nreturn x[0]  #^", "a float has no elements: index an array", 7),
    ("x = [1] * 2\nx[0] = 0.5  #^\nreturn 0.0", "a float is used where an int is expected: convert it by int(...)", 0),
    ("self.rate = 2.0  #^\nreturn 0.0", "an attribute is assigned: parameters are constant; use a variable", 0),
    (
        "return self.speed  #^",
        "the model has no parameter speed: declare it in the class, such as speed: float = 1.0",
        7,
    ),
    ("return 1.0, 2.0  #^", "replicate returns 2 values for 1 response: return one for each", 0),
    ("return 0.0\nx = 1.0  #^", "this line is never reached: remove it", 0),
    (
        "try:  #^\n    x = 1.0\nexcept ValueError:\n    pass\nreturn 0.0",
        "try is not in the subset: check the values with if",
        0,
    ),
    ("with open('x') as y:  #^\n    pass\nreturn 0.0", "with is not in the subset: remove it", 0),
    (
        "raise ValueError('x')  #^",
        "raise is not in the subset: return responses, or give the parameter a range by sporos.parameter",
        0,
    ),
    ("assert self.rate > 0  #^\nreturn 0.0", "assert is not in the subset: check the result of replicate in a test", 0),
    ("import math  #^\nreturn 0.0", "import is not in the subset here: import at the top of the file", 0),
    (
        "def f():  #^\n    pass\nreturn 0.0",
        "a function inside a function is not in the subset: define it at the top of the file",
        0,
    ),
    ("print(1.0)  #^\nreturn 0.0", "print is not in the subset: return the number as a response, or use a debugger", 0),
    ("1.0 + 2.0  #^\nreturn 0.0", "this line has no effect: assign the value, or remove the line", 0),
    (
        "x = draw.exponential('servce', 1.0)  #^\nreturn x",
        "'servce' is no input of the model: add it to inputs, or use service, other",
        4,
    ),
    (
        "x = draw.exponential(1.0)  #^\nreturn x",
        "the first argument of draw.exponential is the name of an input variable: write it as a string",
        4,
    ),
    (
        "x = draw.cauchy('service', 1.0)  #^\nreturn x",
        "draw has no distribution cauchy: use one of random, uniform, triangular, exponential, "
        "exponential_by_mean, weibull, normal, lognormal, gamma, gamma_by_rate, erlang, beta, student, "
        "pareto, log_logistic, burr, johnson_su, johnson_sb, truncated_normal, hyperexponential, "
        "uniform_integer, geometric, poisson, binomial, negative_binomial, hypergeometric",
        4,
    ),
    ("x = draw.exponential_by_mean('service')  #^\nreturn x", "draw.exponential_by_mean takes mean: give these arguments", 4),
    ("x = draw.exponential('service', 1.0, 2.0)  #^\nreturn x", "draw.exponential takes rate: give these arguments", 4),
    (
        "x = draw.exponential('service', mean=1.0)  #^\nreturn x",
        "draw.exponential has no such argument mean: it takes rate",
        4,
    ),
    (
        "x = draw.random('service') - draw.random('service')  #^\nreturn x",
        "this line draws twice from an input, or changes an event tool that it also uses: assign one of "
        "the two to a variable first",
        4,
    ),
    ("x = draw  #^\nreturn 0.0", "draw is used as a value: draw a number, such as draw.exponential('input', 1.0)", 4),
    (
        "x = draw.erlang('service', 1.5, 2.0)  #^\nreturn x",
        "a float is used where an int is expected: convert it by int(...)",
        27,
    ),
    (
        "x = math.tan(1.0)  #^\nreturn x",
        "math.tan has no counterpart with the same bits on every machine: write math.sin(x) / math.cos(x)",
        4,
    ),
    ("x = math.log(2.0, 10.0)  #^\nreturn x", "math.log takes 1 argument: write math.log(x) / math.log(base)", 4),
    (
        "x = math.gcd(4, 2)  #^\nreturn x",
        "math.gcd has no counterpart with the same bits on every machine: use one of exp, expm1, log, "
        "log1p, sqrt, sin, cos, pow, lgamma, fabs, floor, ceil, trunc",
        4,
    ),
    (
        "x = round(1.5, 2)  #^\nreturn x",
        "this call of round is not in the subset: write round(x), without a number of digits",
        4,
    ),
    ("x = sum([1.0, 2.0])  #^\nreturn x", "this call of sum is not in the subset: add the numbers in a loop", 4),
    (
        "x = max([1.0, 2.0])  #^\nreturn x",
        "max of one argument is not in the subset: write max(a, b), or a loop over the array",
        4,
    ),
    ("x = sorted((1, 2))  #^\nreturn 0.0", "this call of sorted is not in the subset: sort in a loop", 4),
    (
        "x = os.getpid()  #^\nreturn x",
        "os.getpid is not in the subset: use functions of math, or write it in Python",
        4,
    ),
    (
        "x = numpy.exp(1.0)  #^\nreturn x",
        "numpy.exp is not in the subset: use functions of math, or write it in Python",
        4,
    ),
    ("x = unknown(3)  #^\nreturn x", "unknown is not defined: define the function at the top of the file", 4),
    (
        "x = Helper()  #^\nreturn 0.0",
        "an object of the class Helper is not in the subset: use variables, arrays and classes under @sporos.record",
        4,
    ),
    ("x = NAMES  #^\nreturn 0.0", "NAMES is no array of numbers: write a tuple of float, of int, or of such tuples", 4),
    ("x = WORD  #^\nreturn 0.0", "WORD is a str, which is not in the subset: use numbers and tuples of numbers", 4),
    (
        "if self.rate > 1:\n    line = sporos.FifoQueue(8)  #^\nreturn 0.0",
        "FifoQueue must be made once, at the start of replicate, outside of if and loops: move the line",
        4,
    ),
    (
        "line = sporos.FifoQueue(self.count)  #^\nreturn 0.0",
        "the room of FifoQueue must be a constant int above 0: write the number, or a name of one",
        24,
    ),
    ("line = sporos.FifoQueue(8)\nreturn line  #^", "FifoQueue is used as a number: call one of its methods", 7),
    (
        "line = sporos.FifoQueue(8)\nline.append(1.0)  #^\nreturn 0.0",
        "FifoQueue has no append: it has push, pop, size, is_empty, front",
        0,
    ),
    (
        "line = sporos.FifoQueue(8)\nx = line.pop() - line.pop()  #^\nreturn x",
        "this line draws twice from an input, or changes an event tool that it also uses: assign one of "
        "the two to a variable first",
        4,
    ),
    (
        "line = sporos.FifoQueue(8)\nx = line.push(1.0)  #^\nreturn 0.0",
        "line.push has no result: write it on a line of its own",
        4,
    ),
    (
        "x = sporos.Tally().mean()  #^\nreturn x",
        ".mean is not in the subset here: assign the object in front of it to a variable",
        4,
    ),
    (
        "for i in range(0, 3, self.count):  #^\n    pass\nreturn 0.0",
        "the step of range must be a constant int other than 0: write the number",
        21,
    ),
    ("for i in range(2.5):  #^\n    pass\nreturn 0.0", "range of a float: convert it by int(...)", 15),
    (
        "for x in self.rate:  #^\n    pass\nreturn 0.0",
        "this loop is not in the subset: loop over range(...), an array or enumerate(array)",
        9,
    ),
    (
        "for i in range(2):\n    pass\nelse:\n    x = 1.0  #^\nreturn 0.0",
        "else after for is not in the subset: use a bool variable",
        4,
    ),
    ("while True:\n    pass\nreturn 0.0  #^", "this line is never reached: remove it", 0),
    (
        "_x = 1.0  #^\nreturn 0.0",
        "the name _x is not in the subset: use ASCII letters, digits and single underscores",
        0,
    ),
    (
        "x: str = 1.0  #^\nreturn 0.0",
        "this annotation is not in the subset: write name: float = value, or int or bool",
        0,
    ),
    (
        "a, b = 1.0  #^\nreturn 0.0",
        "this assignment of several values is not in the subset: write a, b = x, y with variables",
        0,
    ),
    ("global y  #^\nreturn 0.0", "global is not in the subset: pass values as arguments", 0),
    ("yield 1.0  #^", "yield is not in the subset: events belong in a sporos.Calendar", 0),
    ("x = (y := 1.0)  #^\nreturn x", ":= is not in the subset: assign in a statement before", 5),
    (
        "x = replicate(self, draw)  #^\nreturn x",
        "replicate is not defined: define the function at the top of the file",
        4,
    ),
    ("x = self.replicate(draw)  #^\nreturn x", "replicate calls itself: use a loop", 4),
    ("x = 1.0\nreturn x(2.0)  #^", "x is a variable and is called: call a function", 7),
    ("c = Customer()  #^\nreturn 0.0", "Customer takes arrival, rank: give these fields", 4),
    ("c = Customer(1.0, size=2)  #^\nreturn 0.0", "Customer has no such field size: it has arrival, rank", 4),
    ("c = Customer(1.0, 2.5)  #^\nreturn 0.0", "a float is used where an int is expected: convert it by int(...)", 18),
    ("c = Customer(1.0)\nreturn c  #^", "a record is used as a value: use one of its fields", 7),
    ("c = Customer(1.0)\nd = c  #^\nreturn 0.0", "a record is used as a value: use one of its fields", 4),
    ("c = Customer(1.0)\nreturn c.size  #^", "Customer has no field size: it has arrival, rank", 7),
    ("c = Customer(1.0)\nc = 2.0  #^\nreturn 0.0", "c is a Customer and becomes a float: use another variable", 0),
    (
        "c = [Customer(1.0)] * 8  #^\nreturn 0.0",
        "this array of records is not in the subset: write [Customer(...) for _ in range(8)]",
        0,
    ),
    (
        "c = [Customer(1.0) for _ in range(8)]\nreturn c.rank  #^",
        "c is an array of records: index it, such as c[i].rank",
        7,
    ),
    (
        "c = [Customer(1.0) for _ in range(8)]\nreturn c[8].rank  #^",
        "the index 8 is outside of the array of 8 elements: use -8 to 7",
        7,
    ),
    (
        "c = [Customer(1.0) for _ in range(8)]\nx = c[0]  #^\nreturn 0.0",
        "a record is used as a value: use one of its fields, such as a[i].x",
        4,
    ),
    (
        "c = [Customer(1.0) for _ in range(8)]\nc[0] = Customer(2.0)  #^\nreturn 0.0",
        "a new record is assigned to a variable: assign the fields, such as a[i].x = 1.0",
        0,
    ),
    (
        "c = [Customer(1.0) for _ in range(8)]\nfor one in c:  #^\n    pass\nreturn 0.0",
        "a loop over records is not in the subset: write for i in range(len(records))",
        11,
    ),
    (
        "c = [Customer(draw.random('service')) for _ in range(8)]  #^\nreturn 0.0",
        "the fields of new records are drawn: assign them in a loop",
        0,
    ),
    ("return Customer(1.0).rank  #^", ".rank is not in the subset: use self, draw, math and event tools", 7),
    (
        "pool = sporos.EntityPool(8)  #^\nreturn 0.0",
        "EntityPool takes a class under @sporos.record and its room: write sporos.EntityPool(Customer, 64)",
        7,
    ),
    (
        "pool = sporos.EntityPool(Customer, self.count)  #^\nreturn 0.0",
        "the room of EntityPool must be a constant int above 0: write the number, or a name of one",
        35,
    ),
    (
        "line = sporos.Line()  #^\nreturn 0.0",
        "Line takes its pool: write line = sporos.Line(pool), after the line that makes the pool",
        7,
    ),
    (
        POOL + "pool.add(Customer(1.0))  #^\nreturn 0.0",
        "the number of an entity is assigned to a variable: write number = pool.add(...)",
        0,
    ),
    (
        POOL + "line.push_back(pool.add(Customer(1.0)))  #^\nreturn 0.0",
        "the number of an entity is assigned to a variable: write number = pool.add(...)",
        15,
    ),
    (
        POOL + "number = pool.add(1.0)  #^\nreturn 0.0",
        "pool.add takes a new Customer: write pool.add(Customer(...))",
        0,
    ),
    (
        POOL + "x = 1.5\nx = pool.add(Customer(1.0))  #^\nreturn 0.0",
        "x is a float and becomes an int: use another variable",
        0,
    ),
    (
        POOL + "return pool[0]  #^",
        "a record is used as a value: use one of its fields, such as a[i].x",
        7,
    ),
    (
        POOL + "return pool[0.5].rank  #^",
        "a float is used where an int is expected: convert it by int(...)",
        12,
    ),
    (
        POOL + "return pool.arrival  #^",
        "pool holds records: index it, such as pool[number].arrival",
        7,
    ),
    (
        POOL + "return line.pop_front() + pool.size()  #^",
        "this line draws twice from an input, or changes an event tool that it also uses: assign one of the two "
        "to a variable first",
        7,
    ),
    (
        POOL + "line.append(0)  #^\nreturn 0.0",
        "Line has no append: it has push_back, push_front, pop_front, take_out, first, next, size, is_empty",
        0,
    ),
]

SERIES_PROLOGUE = """import sporos


@sporos.model
class Model:
    rate: float = 1.0
    inputs = ("service",)
    responses = ("cost",)
    series = ("wait",)

    def replicate(self, draw):
        return 0.0

    def observe(self, draw, series):
"""
"""The text before a body of observe."""

LOOP = "while series.goes_on():\n    series.record(draw.random('service'))\n"

WRONG_SERIES = [
    ("x = 1.0  #^", "observe ends without its loop: write while series.goes_on(): at its end", 0),
    (
        "while self.rate > 0:  #^\n    series.record(1.0)",
        "observe ends without its loop: write while series.goes_on(): at its end",
        0,
    ),
    (LOOP + "x = 1.0  #^", "observe ends without its loop: write while series.goes_on(): at its end", 0),
    (
        "series.record(1.0)  #^\n" + LOOP,
        "series.record() is called outside of its place: use it only in the last loop",
        0,
    ),
    (
        LOOP + "    if series.goes_on():  #^\n        x = 1.0",
        "series.goes_on() is called outside of its place: use it only in the last loop",
        7,
    ),
    (
        "while series.goes_on():  #^\n    draw.random('service')",
        "the loop of observe has no observation: call series.record(...) in it",
        0,
    ),
    (
        LOOP + "    series.record(2.0)  #^",
        "series.record may be called twice in a pass of the loop of observe: call it once in a pass",
        4,
    ),
    (
        "while series.goes_on():\n    for i in range(2):  #^\n        series.record(1.0)",
        "series.record may be called twice in a pass of the loop of observe: call it once in a pass",
        4,
    ),
    ("while series.goes_on():\n    series.record(1.0, 2.0)  #^", "series.record takes wait: give these arguments", 4),
    (
        LOOP + "    if self.rate > 1:\n        break  #^",
        "break ends the loop of observe, which goes on until series.goes_on() is false: remove it",
        8,
    ),
    (LOOP + "    return  #^", "observe returns nothing and goes on until the end of its loop: remove return", 4),
    (
        LOOP + "    line = sporos.FifoQueue(8)  #^",
        "FifoQueue must be made once, at the start of observe, outside of if and loops: move the line",
        4,
    ),
    ("x = series  #^\n" + LOOP, "Series is used as a number: call one of its methods", 4),
]
"""Bodies of observe that are refused."""

CHAIN_PROLOGUE = """import math

import sporos


@sporos.model
class Model:
    rate: float = 1.0
    inputs = ("service", "other")
    responses = ("cost",)
    chain = ("height", "a walk")

    def replicate(self, draw):
        return 0.0

    def evolve(self, draw, chain):
"""
"""The text before a body of evolve."""

WALK = "x = 1\nwhile chain.goes_on(x) and x > 0:\n    x += 1 if draw('service') < 0.3 else -1\n"

WRONG_CHAINS = [
    ("x = 1.0  #^", "evolve ends without its loop: write while chain.goes_on(level): at its end", 0),
    (
        "x = 1\nwhile x > 0:  #^\n    x -= 1",
        "evolve ends without its loop: write while chain.goes_on(level): at its end",
        0,
    ),
    (
        "x = 1\nwhile x > 0 and chain.goes_on(x):  #^\n    x -= 1",
        "evolve ends without its loop: write while chain.goes_on(level): at its end",
        0,
    ),
    (WALK + "x = 2  #^", "evolve ends without its loop: write while chain.goes_on(level): at its end", 0),
    (
        WALK + "    if chain.goes_on(x):  #^\n        x = 1",
        "chain.goes_on() is called outside of its place: use it only in the last loop",
        7,
    ),
    (
        "x = 1\nwhile chain.goes_on(x) and chain.goes_on(2 * x):  #^\n    x -= 1",
        "chain.goes_on() is called outside of its place: use it only in the last loop",
        27,
    ),
    ("x = 1\nwhile chain.goes_on():  #^\n    x -= 1", "chain.goes_on takes level: give these arguments", 6),
    ("x = True\nwhile chain.goes_on(x):  #^\n    x = False",
     "a bool is used where a float is expected: convert it by float(...)", 20),
    (
        "x = 1\nwhile chain.goes_on(x) and draw('service') < 0.9:  #^\n    x += 1",
        "the condition of the loop of evolve draws: draw in the loop",
        6,
    ),
    (
        WALK + "    if x > 9:\n        break  #^",
        "break ends the loop of evolve: write its condition after chain.goes_on(...) and",
        8,
    ),
    (WALK + "    return x  #^", "evolve returns nothing and goes on until the end of its loop: remove return", 4),
    ("chain.record(1.0)  #^\n" + WALK, "Chain has no record: it has goes_on", 0),
    ("x = chain  #^\n" + WALK, "Chain is used as a number: call one of its methods", 4),
    ("other = sporos.Chain()  #^\n" + WALK, "Chain is made by Sporos: use the argument of evolve", 8),
    ("draw = 1.0  #^\n" + WALK, "draw is an argument with another meaning: use another variable", 0),
    (
        WALK + "    line = sporos.FifoQueue(8)  #^",
        "FifoQueue must be made once, at the start of evolve, outside of if and loops: move the line",
        4,
    ),
    (
        WALK + "    x = self.evolve(draw, chain)  #^",
        "Sporos calls evolve, with its own arguments: move the lines to another function",
        8,
    ),
    ("if self.rate > 1:\n    y = 1\n" + WALK + "    x += y  #^",
     "y may have no value here: assign it before the if or the loop", 9),
]
"""Bodies of evolve that are refused."""
