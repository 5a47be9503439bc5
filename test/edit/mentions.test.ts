/** Which places outside of code speak of a name, and what they become. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyEdits } from '#src/base/text-edit.js';
import { mentionsIn, type WantedName } from '#src/edit/mentions.js';

const PUT: WantedName = {
  old: 'put',
  now: 'store',
  around: ['shop', 'store', 'Store'],
  aroundNow: ['shop', 'store', 'Store'],
  isShared: false,
};
const FETCH: WantedName = {
  old: 'fetch_data',
  now: 'load_data',
  around: ['shop', 'net'],
  aroundNow: ['shop', 'net'],
  isShared: false,
};

const ranks = (text: string, ...names: WantedName[]): string[] =>
  mentionsIn(text, names).map((mention) => `${text.slice(mention.start, mention.end)} ${mention.rank}`);

function rewritten(text: string, ...names: WantedName[]): string {
  const edits = mentionsIn(text, names).flatMap(({ start, end, replacement }) =>
    replacement === undefined ? [] : [{ start, end, text: replacement }],
  );
  return applyEdits(text, edits);
}

test('what stands in front of a name says whose it is', () => {
  assert.deepEqual(ranks('Store.put and shop.store.Store.put, Store#put, shop.Store.put', PUT), [
    'Store.put qualified',
    'shop.store.Store.put qualified',
    'Store#put qualified',
    'shop.Store.put qualified',
  ]);
  assert.deepEqual(ranks('Queue.put, queue.put', PUT), []);
  assert.deepEqual(ranks('`queue.put()`', PUT), ['put word']);
  assert.equal(rewritten('Use `Store.put(key)`.', PUT), 'Use `Store.store(key)`.');
});

test('a plain word is a mention only where it is written as code', () => {
  assert.deepEqual(ranks('We put things here. Output, putting, input.', PUT), []);
  assert.deepEqual(ranks('Call `put` or put(key); see :meth:`put`.', PUT), [
    'put spelled',
    'put spelled',
    'put spelled',
  ]);
  assert.deepEqual(ranks('```\nput x\n```\nput y', PUT), ['put spelled']);
});

test('a name that is no word is a mention wherever it stands', () => {
  assert.deepEqual(ranks('fetch_data reads; see prefetch_data.', FETCH), ['fetch_data spelled']);
  assert.equal(rewritten('# fetch_data is slow', FETCH), '# load_data is slow');
  assert.equal(rewritten('# fetch_data is slow', { ...FETCH, isShared: true }), '# fetch_data is slow');
  const { now: _now, ...gone } = FETCH;
  assert.deepEqual(
    mentionsIn('fetch_data', [gone]).map(({ replacement }) => replacement),
    [undefined],
  );
});

test('a path changes where it is another one now', () => {
  const moved: WantedName = { ...FETCH, now: 'fetch_data', aroundNow: ['shop', 'io', 'web'] };
  assert.equal(
    rewritten('shop.net:fetch_data, net.fetch_data, shop/net/fetch_data, fetch_data', moved),
    'shop.io.web:fetch_data, io.web.fetch_data, shop/io/web/fetch_data, fetch_data',
  );
  const file: WantedName = {
    old: 'net',
    now: 'web',
    around: ['shop'],
    aroundNow: ['shop'],
    isShared: false,
    isFile: true,
  };
  assert.equal(rewritten('shop/net.py, shop.net.x, the net', file), 'shop/web.py, shop.web.x, the net');
  assert.equal(rewritten('^shop\\.net\\.(\\w+), "shop\\\\.net"', file), '^shop\\.web\\.(\\w+), "shop\\\\.web"');
});

test('of several names that fit one place the longest wins', () => {
  const other: WantedName = { ...PUT, around: ['Queue'], aroundNow: ['Queue'], now: 'push' };
  assert.equal(rewritten('`Queue.put` and `Store.put`', PUT, other), '`Queue.push` and `Store.store`');
});
