/** Which tests passed, read from recorded outputs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PRESETS } from '#src/oracle/presets.js';
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
    assert.match(asked.join(' '), /one[ ,]two/);
  }
});
