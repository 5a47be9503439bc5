/** Which tests passed, read from recorded outputs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PRESETS } from '#src/oracle/presets.js';
import { readJunit, readJunitResults } from '#src/oracle/junit-output.js';
import { readPytestResults, readSurefireResults } from '#src/oracle/test-results.js';

const PYTEST = `.FF                                                                      [100%]
=================================== FAILURES ===================================
_________________________________ test_default _________________________________
cache.py:3: AttributeError
=========================== short test summary info ============================
PASSED tests/test_cache.py::test_get
PASSED tests/test_cache.py::test_of[a - b]
FAILED tests/test_cache.py::test_default - AttributeError: 'Cache' object has...
FAILED tests/test_cache.py::TestMore::test_len - TypeError: object of type 'C...
2 failed, 2 passed in 2.79s
`;
const COLLECTING = `==================================== ERRORS ====================================
_____________________ ERROR collecting tests/test_cache.py _____________________
tests/test_cache.py:1: in <module>
    from cache import Cache
E   ModuleNotFoundError: No module named 'cache'
=========================== short test summary info ============================
ERROR tests/test_cache.py
1 error in 3.35s
ERROR: found no collectors for /r/tests/test_cache.py::test_get
`;
const SUREFIRE = `[INFO] Running a.CacheTest
[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.05 s <<< FAILURE! -- in a.CacheTest
[ERROR] a.CacheTest.keepsIt -- Time elapsed: 0.01 s <<< FAILURE!
org.opentest4j.AssertionFailedError: expected: <1> but was: <2>
[INFO] Results:
[ERROR] Failures: 
[ERROR]   CacheTest.keepsIt:12 expected: <1> but was: <2>
[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0
`;

test('pytest names every test that ran', () => {
  assert.deepEqual(readPytestResults(PYTEST), {
    passed: ['tests/test_cache.py::test_get', 'tests/test_cache.py::test_of[a - b]'],
    failed: ['tests/test_cache.py::test_default', 'tests/test_cache.py::TestMore::test_len'],
  });
  assert.deepEqual(readPytestResults(COLLECTING), { passed: [], failed: ['tests/test_cache.py'] });
  assert.deepEqual(readPytestResults(''), { passed: [], failed: [] });
});

test('surefire counts those of a class that passed, and names the others', () => {
  assert.deepEqual(readSurefireResults(SUREFIRE), {
    passed: ['a.CacheTest#1', 'a.CacheTest#2'],
    failed: ['a.CacheTest.keepsIt'],
  });
});

test('a preset that runs tests by name gives them to its own program', () => {
  for (const { command, tests } of PRESETS) {
    if (tests === undefined) continue;
    const asked = tests.command(['one', 'two']);
    assert.equal(asked[0], command[0]);
    assert.match(asked.join(' '), /one(?:[ ,]| --select-class=)two/);
  }
});

/** Of junit-platform-console-standalone 1.9.1, without the frames of JUnit and of the JDK. */
const JUNIT = `Test plan execution started. Number of static tests: 8
.
+-- JUnit Vintage
'-- JUnit Vintage finished after 5 ms.
+-- JUnit Platform Suite
'-- JUnit Platform Suite finished after 3 ms.
+-- JUnit Jupiter
| +-- CartTest
| | +-- each(int)
| | | +-- [1] 1 dynamically registered
| | | +-- [1] 1
| | | |      tags: []
| | | |  uniqueId: [engine:junit-jupiter]/[class:shop.CartTest]/[test-template:each(int)]/[test-template-invocation:#1]
| | | |    parent: [engine:junit-jupiter]/[class:shop.CartTest]/[test-template:each(int)]
| | | |    source: MethodSource [className = 'shop.CartTest', methodName = 'each', methodParameterTypes = 'int']
| | | |  duration: 68 ms
| | | |    status: [OK] SUCCESSFUL
| | | +-- [2] 2 dynamically registered
| | | +-- [2] 2
| | | |      tags: []
| | | |  uniqueId: [engine:junit-jupiter]/[class:shop.CartTest]/[test-template:each(int)]/[test-template-invocation:#2]
| | | |    parent: [engine:junit-jupiter]/[class:shop.CartTest]/[test-template:each(int)]
| | | |    source: MethodSource [className = 'shop.CartTest', methodName = 'each', methodParameterTypes = 'int']
| | | |    caught: org.opentest4j.AssertionFailedError: multi
| | | |              line ==> expected: <true> but was: <false>
| | | |              \tat shop.CartTest.each(CartTest.java:11)
| | | |  duration: 33 ms
| | | |    status: [X] FAILED
| | '-- each(int) finished after 216 ms.
| | +-- fine()
| | |      tags: []
| | |  uniqueId: [engine:junit-jupiter]/[class:shop.CartTest]/[method:fine()]
| | |    parent: [engine:junit-jupiter]/[class:shop.CartTest]
| | |    source: MethodSource [className = 'shop.CartTest', methodName = 'fine', methodParameterTypes = '']
| | |  duration: 2 ms
| | |    status: [OK] SUCCESSFUL
| | +-- sums()
| | |      tags: []
| | |  uniqueId: [engine:junit-jupiter]/[class:shop.CartTest]/[method:sums()]
| | |    parent: [engine:junit-jupiter]/[class:shop.CartTest]
| | |    source: MethodSource [className = 'shop.CartTest', methodName = 'sums', methodParameterTypes = '']
| | |    caught: org.opentest4j.AssertionFailedError: expected: <3> but was: <-1>
| | |              \tat shop.CartTest.sums(CartTest.java:7)
| | |  duration: 9 ms
| | |    status: [X] FAILED
| | +-- a nice name
| | |      tags: []
| | |  uniqueId: [engine:junit-jupiter]/[class:shop.CartTest]/[method:named()]
| | |    parent: [engine:junit-jupiter]/[class:shop.CartTest]
| | |    source: MethodSource [className = 'shop.CartTest', methodName = 'named', methodParameterTypes = '']
| | |    caught: java.lang.NullPointerException: Cannot invoke "String.length()" because the return value of "shop.Cart.name()" is null
| | |              \tat shop.CartTest.named(CartTest.java:8)
| | |  duration: 6 ms
| | |    status: [X] FAILED
| | +-- skipped()
| | |      tags: []
| | |  uniqueId: [engine:junit-jupiter]/[class:shop.CartTest]/[method:skipped()]
| | |    parent: [engine:junit-jupiter]/[class:shop.CartTest]
| | |    source: MethodSource [className = 'shop.CartTest', methodName = 'skipped', methodParameterTypes = '']
| | |    reason: later
| | |    status: [S] SKIPPED
| | +-- Inner
| | | +-- ok()
| | | |      tags: []
| | | |  uniqueId: [engine:junit-jupiter]/[class:shop.CartTest]/[nested-class:Inner]/[method:ok()]
| | | |    parent: [engine:junit-jupiter]/[class:shop.CartTest]/[nested-class:Inner]
| | | |    source: MethodSource [className = 'shop.CartTest$Inner', methodName = 'ok', methodParameterTypes = '']
| | | |  duration: 1 ms
| | | |    status: [OK] SUCCESSFUL
| | | +-- deep()
| | | |      tags: []
| | | |  uniqueId: [engine:junit-jupiter]/[class:shop.CartTest]/[nested-class:Inner]/[method:deep()]
| | | |    parent: [engine:junit-jupiter]/[class:shop.CartTest]/[nested-class:Inner]
| | | |    source: MethodSource [className = 'shop.CartTest$Inner', methodName = 'deep', methodParameterTypes = '']
| | | |    caught: org.opentest4j.AssertionFailedError: deep down
| | | |              \tat shop.CartTest$Inner.deep(CartTest.java:12)
| | | |  duration: 12 ms
| | | |    status: [X] FAILED
| | '-- Inner finished after 23 ms.
| '-- CartTest finished after 294 ms.
| +-- BrokenTest
| | |    caught: java.lang.IllegalStateException: no set up
| | |              \tat shop.BrokenTest.before(BrokenTest.java:3)
| '-- BrokenTest finished after 14 ms.
'-- JUnit Jupiter finished after 351 ms.
Test plan execution finished. Number of all tests: 10

Test run finished after 438 ms
`;

test("JUnit's console: tests by class and method, runs of one by number, a class that cannot be set up by its name", () => {
  assert.deepEqual(readJunitResults(JUNIT), {
    passed: ['shop.CartTest.each[1]', 'shop.CartTest.fine', 'shop.CartTest.Inner.ok'],
    failed: [
      'shop.CartTest.each[2]',
      'shop.CartTest.sums',
      'shop.CartTest.named',
      'shop.CartTest.Inner.deep',
      'shop.BrokenTest',
    ],
  });
  const files = ['src/main/java/shop/Cart.java', 'src/test/java/shop/CartTest.java'];
  const found = readJunit(JUNIT, (ending) => files.find((file) => file.endsWith(`/${ending}`)));
  assert.deepEqual(
    found.map(({ file, line, code, message }) => `${file}:${line} ${code ?? '-'} ${message}`),
    [
      'src/test/java/shop/CartTest.java:11 AssertionFailedError CartTest.each[2]: multi\nline ==> expected: <true> but was: <false>',
      'src/test/java/shop/CartTest.java:7 AssertionFailedError CartTest.sums: expected: <3> but was: <-1>',
      'src/test/java/shop/CartTest.java:8 NullPointerException CartTest.named: Cannot invoke "String.length()" because the return value of "shop.Cart.name()" is null',
      'src/test/java/shop/CartTest.java:12 AssertionFailedError Inner.deep: deep down',
      'shop.BrokenTest:1 IllegalStateException shop.BrokenTest: no set up',
    ],
  );
  assert.deepEqual(readJunitResults('nothing of the kind\n'), { passed: [], failed: [] });
});
