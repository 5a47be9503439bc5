/**
 * Functions that a test runner finds by their name and calls.
 */

/** `test`, `test_put`. */
export const isTestName = (name: string): boolean => /^test(?:_|$)/.test(name);
