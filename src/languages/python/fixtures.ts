/**
 * Fixtures of pytest: functions whose results tests and other fixtures take as parameters of their name.
 *
 * They are looked for in the file, then in `conftest.py` beside it and in the folders above.
 */
import type { Injection } from '../language.js';

export const injection: Injection = {
  decorator: 'fixture',
  into: /^test/,
  askedBy: new Set(['usefixtures', 'getfixturevalue']),
  sources(file) {
    const out = [file];
    for (let folder = file; folder !== '';) {
      folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')));
      const source = folder === '' ? 'conftest.py' : `${folder}/conftest.py`;
      if (source !== file) out.push(source);
    }
    return out;
  },
};
