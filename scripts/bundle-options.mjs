// How the compiled program is put into few files, for the program itself and for what is measured as a program.

/** What has files of its own that are not code, is for one platform, or is optional: loaded from where it is installed. */
const LEFT_OUT = ['web-tree-sitter', '@parcel/watcher', 'openai', 'bullmq', 'ioredis', 'pg', 'pg-native'];

export const BUNDLE_OPTIONS = {
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: LEFT_OUT,
  // Packages in the older form of modules ask for Node's own by `require`.
  banner: {
    js: "import * as nodeModule from 'node:module'; const require = nodeModule.createRequire(import.meta.url);",
  },
  legalComments: 'none',
  logLevel: 'warning',
};
