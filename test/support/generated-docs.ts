/**
 * Pages of docs/ that are made from tables of the program, so that they say what it does.
 */
import { REWRITES } from '#src/edit/mechanical/rewrites.js';
import { FINDERS, OCCASIONS } from '#src/impact/finders.js';
import { RULES } from '#src/impact/rules.js';
import type { Rule } from '#src/impact/rules/rule.js';
import type { Label } from '#src/change/atomic-change.js';

const KINDS: Readonly<Record<string, string>> = {
  M: 'method or function',
  F: 'field or variable',
  C: 'class',
  CC: 'constructor',
  I: 'import',
  MB: "method's body",
  MS: "method's signature",
};
const VERBS: Readonly<Record<string, string>> = { M: 'modified', A: 'added', D: 'deleted' };

/** Path relative to the root, and the page's text. */
export function generatedDocs(): ReadonlyMap<string, string> {
  return new Map([
    ['docs/rules.md', rulesPage()],
    ['docs/rewrites.md', rewritesPage()],
  ]);
}

function rulesPage(): string {
  const of = (profile: Rule['profile']): string => ruleTable(RULES.filter((rule) => rule.profile === profile));
  return `# Impact rules

Made from \`src/impact/rules.ts\` by \`UPDATE=1 npm test\`; not to be edited.

A rule says: when a block underwent this change, follow this relation from it (or from the class that holds it), in the graph before the edit, after it, or in both, to the blocks that may have to follow. *Only if* names a condition of \`src/impact/predicates.ts\`. Each site that is found is then judged by itself: it breaks, it may be affected, or it is fine as it is. A name that an edited import or list of exports leads to another definition now counts as a change of what it led to, for those who come by the name: rules about the block itself and its class are followed, and what merely may have to follow and fits as it is is left out.

The labels are the paper's (arXiv 2309.12499): ${labelWords()}.

## Default profile

${of('precise')}

## Strict profile: the paper's Table 4

${of('paper')}

## What no relation leads to

Made from \`src/impact/finders.ts\`, where the rule table is the first of the finders.

${finderTable()}
`;
}

function labelWords(): string {
  const labels = [...new Set(RULES.map((rule) => rule.when))].sort();
  return labels.map((label) => `\`${label}\` ${labelName(label)}`).join(', ');
}

function labelName(label: Label): string {
  return `${KINDS[label.slice(1)] ?? ''} ${VERBS[label.slice(0, 1)] ?? ''}`;
}

const OF: Readonly<Record<Rule['of'], string>> = {
  self: '',
  class: ' of its class',
  family: ' of its family',
  siblings: ' of the others of its enum',
  required: ' of another required member',
  signature: ' of its call signature',
};

function ruleTable(rules: readonly Rule[]): string {
  const rows = rules.map(
    (rule) =>
      `| \`${rule.id}\` | ${rule.when} | ${rule.follow}${OF[rule.of]} | ${rule.in} | ${rule.only ?? ''} | a block that ${rule.why.join('it')} |`,
  );
  return ['| rule | change | relation | graph | only if | leads to |', '|---|---|---|---|---|---|', ...rows].join('\n');
}

function finderTable(): string {
  const rows = FINDERS.flatMap(({ rules, asked, source }) =>
    Object.entries(rules).map(
      ([id, leadsTo]) => `| \`${id}\` | a block that ${leadsTo} | ${OCCASIONS[asked]} | ${source} |`,
    ),
  );
  return ['| rule | leads to | asked | because |', '|---|---|---|---|', ...rows].join('\n');
}

function rewritesPage(): string {
  const rows = REWRITES.map((rewrite) => `| \`${rewrite.id}\` | ${rewrite.does} |`);
  return `# Rewrites

Made from \`src/edit/mechanical/rewrites.ts\` by \`UPDATE=1 npm test\`; not to be edited.

Edits that follow from a change by rule, without a model. They are tried in this order, and the first that is about a site decides: it edits the site, or says why it must not. What no rewrite does stays open for a person or a model.

| rewrite | what it does |
|---|---|
${rows.join('\n')}
`;
}
