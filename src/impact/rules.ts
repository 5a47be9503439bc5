/**
 * The rule table: which relations each atomic change follows, and why.
 *
 * Rows with profile `paper` are Table 4 of the paper as printed and make up the strict profile. Rows with profile
 * `precise` are the default: the same relations, filtered by what the change can be seen to do, plus relations that
 * real edits need. They stand by what changed, a file each.
 */
import { ACCESS } from './rules/access.js';
import { CLASSES } from './rules/classes.js';
import { FAMILIES } from './rules/families.js';
import { FIELDS } from './rules/fields.js';
import { IMPORTS } from './rules/imports.js';
import { NAMES } from './rules/names.js';
import { PAPER_RULES } from './rules/paper.js';
import type { Rule } from './rules/rule.js';
import { SIGNATURES } from './rules/signatures.js';

/** Whether a rule lists sites because of a name that is gone, and not because of what else changed. */
export const isAboutTheName = (id: string): boolean =>
  id === 'stub-name' || RULES.some((rule) => rule.id === id && OF_NAMES.has(rule.judge));

const OF_NAMES: ReadonlySet<Rule['judge']> = new Set<Rule['judge']>([
  'gone',
  'overrideName',
  'spellsOldName',
  'namedAsClass',
]);

export const RULES: readonly Rule[] = [
  ...PAPER_RULES,
  ...[NAMES, SIGNATURES, ACCESS, FAMILIES, FIELDS, CLASSES, IMPORTS]
    .flat()
    .map((row): Rule => ({ ...row, profile: 'precise' })),
];
