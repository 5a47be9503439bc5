/**
 * An edit by its name, with all that follows from it: rename, move, another signature.
 */
import * as z from 'zod';
import type { Refactoring } from '#protocol/refactor.js';
import { values as valuesAsked } from '#protocol/words.js';
import { agentTool, type AgentAnswer } from './agent-tool.js';
import { planAnswer } from './plan-answer.js';

const params = {
  what: z.enum(['rename', 'move', 'rename-file', 'signature']),
  block: z.string().optional().describe('f(x): parameter x of f; path for rename-file'),
  blocks: z.array(z.string()).optional().describe('to move several'),
  to: z.string().optional().describe('new name, or file'),
  keepExports: z.boolean().optional().describe('packages keep the old name'),
  add: z.array(z.string()).optional().describe('"name: type = default"'),
  remove: z.array(z.string()).optional(),
  rename: z.record(z.string(), z.string()).optional(),
  order: z.array(z.string()).optional(),
  async: z.boolean().optional(),
  values: valuesAsked.optional().describe('what callers pass, by parameter'),
  mentions: z.array(z.enum(['docs', 'comments', 'config'])).optional(),
  apply: z.boolean().optional(),
};
type Given = z.infer<z.ZodObject<typeof params>>;

export const refactor = agentTool({
  name: 'refactor',
  description: 'Makes an edit with all that follows from it, and gives the diff.',
  params,
  writes: true,
  answer: async (service, given, call): Promise<AgentAnswer> => {
    const refactoring = refactoringOf(given);
    if (typeof refactoring === 'string') return { refused: true, text: refactoring };
    const { values, mentions, apply } = given;
    const report = await service.ask(
      'codeplan/refactor',
      {
        refactoring,
        model: 'none',
        ...(values === undefined ? {} : { values }),
        mentions: mentions ?? [],
        ...(apply === undefined ? {} : { apply }),
      },
      call,
    );
    return planAnswer(report, await service.ask('codeplan/status', {}, call));
  },
});

/** What is asked for; or, as a sentence, what is missing. */
function refactoringOf(given: Given): Refactoring | string {
  const { what, block, blocks, to } = given;
  switch (what) {
    case 'rename':
      return block === undefined || to === undefined
        ? 'rename needs block and to, the new name'
        : { kind: 'rename', block, to, ...(given.keepExports === undefined ? {} : { keepExports: given.keepExports }) };
    case 'rename-file':
      return block === undefined || to === undefined
        ? 'rename-file needs block, the path of the file, and to, its new path'
        : { kind: 'rename-file', from: block, to };
    case 'move': {
      const moved = [...(block === undefined ? [] : [block]), ...(blocks ?? [])];
      return moved.length === 0 || to === undefined
        ? 'move needs block (or blocks) and to, the target file'
        : { kind: 'move', blocks: moved, to };
    }
    case 'signature':
      return signatureAsked(given);
  }
}

function signatureAsked({ block, add, remove, rename, order, async }: Given): Refactoring | string {
  if (block === undefined) return 'signature needs block';
  if ([add, remove, rename, order, async].every((part) => part === undefined))
    return 'signature needs one of add, remove, rename, order, async';
  return {
    kind: 'signature',
    block,
    ...(add === undefined ? {} : { add }),
    ...(remove === undefined ? {} : { remove }),
    ...(rename === undefined ? {} : { rename: Object.entries(rename).map(([from, name]) => ({ from, to: name })) }),
    ...(order === undefined ? {} : { order }),
    ...(async === undefined ? {} : { async }),
  };
}
