/**
 * Small programs in four languages from one model: an interface, two classes that implement it one
 * after the other, a function, and calls of all of them, in several layouts.
 *
 * The last parameter is used by no body, so that it can be taken away.
 */
import fc from 'fast-check';
import type { LanguageId } from '#src/syntax/summary.js';
import type { Files } from './propagated.js';

export interface Model {
  readonly contract: string;
  readonly base: string;
  readonly derived: string;
  readonly method: string;
  readonly field: string;
  readonly helper: string;
  readonly calls: readonly CallModel[];
}

export interface CallModel {
  readonly of: 'contract' | 'base' | 'derived' | 'helper';
  readonly layout: 'plain' | 'lines' | 'named' | 'partly';
  readonly isNested: boolean;
}

export const PARAMS = ['first', 'second', 'third', 'unused'] as const;
export type Param = (typeof PARAMS)[number];
/** What every call gives for the parameter that no body uses. */
export const UNUSED_VALUE = '7';

const NAMES = ['Source', 'Disk', 'Tape', 'load', 'width', 'measure'] as const;
const SPARE = ['größe', 'a1', 'put_all', 'List0', 'valueOf2', '_x'] as const;

export const models: fc.Arbitrary<Model> = fc
  .record({
    calls: fc.array(
      fc.record({
        of: fc.constantFrom('contract', 'base', 'derived', 'helper'),
        layout: fc.constantFrom('plain', 'lines', 'named', 'partly'),
        isNested: fc.boolean(),
      }),
      { minLength: 1, maxLength: 5 },
    ),
    names: fc.shuffledSubarray([...NAMES], { minLength: 6 }),
  })
  .map(({ calls, names: [contract = '', base = '', derived = '', method = '', field = '', helper = ''] }) => ({
    contract,
    base,
    derived,
    method,
    field,
    helper,
    calls,
  }));

export const newNames = fc.constantFrom(...SPARE);

/** How the parameters stand in a header. */
export function paramsIn(language: LanguageId, order: readonly string[]): string {
  const type = (name: string): string =>
    (name === 'second'
      ? { python: 'str', typescript: 'string', java: 'String', csharp: 'string' }
      : { python: 'int', typescript: 'number', java: 'int', csharp: 'int' })[language];
  return order
    .map((name) =>
      language === 'python' || language === 'typescript' ? `${name}: ${type(name)}` : `${type(name)} ${name}`,
    )
    .join(', ');
}

export const STORE: Readonly<Record<LanguageId, string>> = {
  python: 'store.py',
  typescript: 'store.ts',
  java: 'Store.java',
  csharp: 'Store.cs',
};
const USE: Readonly<Record<LanguageId, string>> = {
  python: 'use.py',
  typescript: 'use.ts',
  java: 'Use.java',
  csharp: 'Use.cs',
};

/** The program's files, below a folder of its own that is its package or namespace as well. */
export function programOf(language: LanguageId, model: Model, folder: string): Files {
  const files = {
    [`${folder}/${STORE[language]}`]: STORES[language](model, paramsIn(language, PARAMS), folder),
    [`${folder}/${USE[language]}`]: usesOf(language, model, folder),
  };
  return language === 'python' ? { ...files, [`${folder}/__init__.py`]: '' } : files;
}

const STORES: Readonly<Record<LanguageId, (model: Model, params: string, folder: string) => string>> = {
  python: ({ contract, base, derived, method, field, helper }, params) => `from abc import ABC, abstractmethod


class ${contract}(ABC):
    @abstractmethod
    def ${method}(self, ${params}) -> int: ...


class ${base}(${contract}):
    def __init__(self) -> None:
        self.${field} = 1

    def ${method}(self, ${params}) -> int:
        return self.${field} + first + len(second) + third


class ${derived}(${base}):
    def ${method}(self, ${params}) -> int:
        return super().${method}(first, second, third, unused) + self.${field}


def ${helper}(${params}) -> int:
    return first + len(second) + third
`,
  typescript: ({ contract, base, derived, method, field, helper }, params) => `export interface ${contract} {
  ${method}(${params}): number;
}

export class ${base} implements ${contract} {
  protected ${field} = 1;
  ${method}(${params}): number {
    return this.${field} + first + second.length + third;
  }
}

export class ${derived} extends ${base} {
  override ${method}(${params}): number {
    return super.${method}(first, second, third, unused) + this.${field};
  }
}

export function ${helper}(${params}): number {
  return first + second.length + third;
}
`,
  java: ({ contract, base, derived, method, field, helper }, params, folder) => `package ${folder};

interface ${contract} {
    int ${method}(${params});
}

class ${base} implements ${contract} {
    protected int ${field} = 1;

    public int ${method}(${params}) {
        return this.${field} + first + second.length() + third;
    }

    static int ${helper}(${params}) {
        return first + second.length() + third;
    }
}

class ${derived} extends ${base} {
    @Override
    public int ${method}(${params}) {
        return super.${method}(first, second, third, unused) + ${field};
    }
}
`,
  csharp: ({ contract, base, derived, method, field, helper }, params, folder) => `namespace ${folder}
{
    interface ${contract}
    {
        int ${method}(${params});
    }

    class ${base} : ${contract}
    {
        protected int ${field} = 1;

        public virtual int ${method}(${params})
        {
            return this.${field} + first + second.Length + third;
        }

        public static int ${helper}(${params})
        {
            return first + second.Length + third;
        }
    }

    class ${derived} : ${base}
    {
        public override int ${method}(${params})
        {
            return base.${method}(first, second, third, unused) + ${field};
        }
    }
}
`,
};

function usesOf(language: LanguageId, model: Model, folder: string): string {
  const bodies = model.calls.map((call) => callText(language, model, call));
  const { contract, base, derived, helper } = model;
  switch (language) {
    case 'python':
      return `from .store import ${base}, ${contract}, ${derived}, ${helper}\n\n${bodies.map((body, i) => `\ndef use${i}(source: ${contract}, one: ${base}, other: ${derived}) -> int:\n    return ${body}\n`).join('\n')}\n\nall = [${base}, ${derived}, ${helper}]\n`;
    case 'typescript':
      return `import { ${base}, ${derived}, ${helper}, type ${contract} } from './store.js';\n${bodies.map((body, i) => `\nexport function use${i}(source: ${contract}, one: ${base}, other: ${derived}): number {\n  return ${body};\n}\n`).join('')}\nexport const all = [${base}, ${derived}, ${helper}];\n`;
    case 'java':
      return `package ${folder};\n\nclass Use {\n${bodies.map((body, i) => `    static int use${i}(${contract} source, ${base} one, ${derived} other) {\n        return ${body};\n    }\n`).join('\n')}}\n`;
    case 'csharp':
      return `namespace ${folder}\n{\n    static class Use\n    {\n${bodies.map((body, i) => `        static int Use${i}(${contract} source, ${base} one, ${derived} other)\n        {\n            return ${body};\n        }\n`).join('\n')}    }\n}\n`;
  }
}

function callText(language: LanguageId, model: Model, call: CallModel): string {
  const isStatic = language === 'java' || language === 'csharp';
  const callee = {
    contract: `source.${model.method}`,
    base: `one.${model.method}`,
    derived: `other.${model.method}`,
    helper: isStatic ? `${model.base}.${model.helper}` : model.helper,
  }[call.of];
  const first = call.isNested ? callText(language, model, { ...call, isNested: false, layout: 'plain' }) : '1';
  const values = [first, '"s"', '2', UNUSED_VALUE];
  const colon = language === 'python' ? '=' : language === 'csharp' ? ': ' : undefined;
  const named = (from: number): string[] =>
    values.map((value, i) => (i < from || colon === undefined ? value : `${PARAMS[i] ?? ''}${colon}${value}`));
  if (call.layout === 'named') return `${callee}(${named(0).join(', ')})`;
  if (call.layout === 'partly') return `${callee}(${named(2).join(', ')})`;
  return call.layout === 'plain'
    ? `${callee}(${values.join(', ')})`
    : `${callee}(\n            ${values.join(',\n            ')}${language === 'python' || language === 'typescript' ? ',' : ''}\n        )`;
}
