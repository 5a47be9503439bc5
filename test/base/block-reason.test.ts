/** What a person reads beside a block's name. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factAndCause, factFirst, reasonBeside } from '#src/base/block-reason.js';

const CALLS = 'Cart.total calls method price_of: the call lacks a value for sku.';
const OVERRIDES = 'Cart.total overrides method total: their parameters differ now.';

test('the fact comes first, the name of the block stands once, and what is cut is said in full', () => {
  const said = { block: 'Cart.total', reason: `${CALLS} ${OVERRIDES}`, fact: 'missing argument: sku' };
  assert.equal(factFirst(said), 'missing argument: sku');
  assert.equal(factAndCause(said), 'missing argument: sku (calls method price_of)');
  assert.equal(
    reasonBeside(said),
    'calls method price_of: the call lacks a value for sku; overrides method total: their parameters differ now.',
  );
  assert.equal(factAndCause({ ...said, fact: 'missing arg…' }), reasonBeside(said));
});

test('why an edit was not made follows what is wrong; without a fact the reason stands alone', () => {
  const left = { block: 'f', reason: 'the call spreads its arguments', fact: '1 argument too many' };
  assert.equal(factAndCause(left), '1 argument too many – the call spreads its arguments');
  assert.equal(factFirst({ block: 'f', reason: 'f uses g.' }), 'uses g.');
});
