/**
 * Symbols and a look-up for tests of plan search: an intent leads to the symbols that it names.
 */
import type { PlanSymbol } from '#src/search/plan.js';
import type { Ground } from '#src/search/successor.js';

export function planSymbol(path: string): PlanSymbol {
  const name = path.slice(path.lastIndexOf('.') + 1);
  const block = path.slice(path.indexOf('.') + 1);
  const file = `${path.slice(0, path.indexOf('.'))}.py`;
  return {
    id: `${file}:${block}`,
    file,
    block,
    name,
    kind: 'function',
    qualifiedName: path,
    line: 1,
    signature: `def ${name}()`,
    score: 1,
  };
}

/** Looks up `a`, `b`, ... as `lib.a`, `lib.b`; notes what it was asked. */
export function groundByName(): { readonly ground: Ground; readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    ground: (intent, most) => {
      asked.push(intent);
      const names = [...new Set(intent.match(/\b[a-z]\b/gu) ?? [])];
      return Promise.resolve(names.slice(0, most).map((name) => planSymbol(`lib.${name}`)));
    },
  };
}
