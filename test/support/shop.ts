/** A small repository in Python: a store, and callers of its method in two other files. */
export const SHOP = {
  'store.py': 'class Store:\n    def put(self, key, ttl):\n        return key\n',
  'job.py': 'from store import Store\n\n\ndef save(store: Store, k):\n    store.put(k, 1)\n',
  'report.py':
    'from store import Store\n\n\ndef report(store: Store):\n    return [store.put(1, 2), store.put(3, 4)]\n',
  'log.py': 'class Log:\n    def put(self, key):\n        return key\n\n\ndef write(log: Log):\n    log.put(1)\n',
} as const;

/** The same edit as a person would make: `put` is called `insert` from now on. */
export const RENAMED_STORE = SHOP['store.py'].replace('def put', 'def insert');

/** The same, with the two calls of `report` so far apart that their edits are two hunks. */
export const SHOP_APART = {
  ...SHOP,
  'report.py': SHOP['report.py'].replace('(1, 2), ', `(1, 2),\n${'        0,\n'.repeat(9)}        `),
};
