/** An oracle that the test brings along, in the settings of a person who trusts the repository. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { trustRepository } from './trusted.js';

/** `check`: source of a program that writes `file:line:column: severity: message` for each error. */
export async function checkWith(check: string, root: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const folder = join(environment['XDG_CONFIG_HOME'] as string, 'codeplan');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'check.mjs'), check);
  const oracle = {
    command: [process.execPath, join(folder, 'check.mjs')],
    pattern: '^(?<file>[^:]+):(?<line>\\d+):(?<column>\\d+): (?<severity>\\w+): (?<message>.*)$',
  };
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ oracle }));
  await trustRepository(root, environment);
}
