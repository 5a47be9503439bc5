/** An edit request with everything filled in; tests state only what they are about. */
import type { EditRequest } from '#src/context/edit-request.js';

export function editRequest(given: Partial<EditRequest> = {}): EditRequest {
  const fragment = given.fragment ?? 'def save(store, k):\n    store.put(k)\n';
  return {
    language: 'python',
    file: 'pkg/job.py',
    block: 'save',
    kind: 'function',
    fragment,
    line: 1,
    source: fragment,
    instruction: '',
    causes: ['Store.put takes one more parameter, and save calls it.'],
    temporal: [],
    spatial: [],
    ...given,
  };
}
