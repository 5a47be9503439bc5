/**
 * Every fixture, with either line ending. `UPDATE=1` writes the sections as the engine gives them;
 * the diff is then to be reviewed as behaviour. `FIXTURE=words` runs those whose path holds the words.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkFixture, updatedFixture } from './support/check.js';
import { FIXTURES_ROOT, fixturePaths, readFixture } from './support/fixture-files.js';
import { testGrammars } from './support/grammars.js';

const grammars = await testGrammars();
const only = process.env.FIXTURE ?? '';

for (const path of fixturePaths()) {
  if (!path.includes(only)) continue;
  test(path, async (t) => {
    const fixture = readFixture(path);
    if (process.env.UPDATE !== undefined) {
      writeFileSync(join(FIXTURES_ROOT, path), await updatedFixture(fixture, grammars));
      return;
    }
    await t.test('with \\n', () => checkFixture(fixture, grammars, '\n'));
    await t.test('with \\r\\n', () => checkFixture(fixture, grammars, '\r\n'));
  });
}
