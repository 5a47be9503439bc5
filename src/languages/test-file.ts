/**
 * Files that hold tests or what tests lean on, told by the customs of the four languages' test runners.
 *
 * Errs towards no test: a folder counts only by a whole name, so that `latest/` and `contest.py` do not.
 */

const FOLDER =
  /(?:^|\/)(?:tests?|__tests__|testing|specs?|e2e|(?:unit|integration|functional)-?tests?|[\w.-]*[a-z.]Tests?(?:\.[\w.]+)?|src\/(?:test|testFixtures|[a-z]+Test))\//;
const FILE =
  /(?:^|\/)(?:test_[^/]*|conftest|[^/]*_tests?)\.pyi?$|\.(?:spec|test)(?:-d)?\.\w+$|[a-z\d](?:Tests?|IT)\.(?:java|cs)$/;

export const isTestFile = (path: string): boolean => FOLDER.test(path) || FILE.test(path);
