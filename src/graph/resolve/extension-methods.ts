/**
 * Extension methods (C#): static methods that are called on their first argument.
 */
import type { DeclRef, LibraryTypes } from '../../languages/language.js';
import { F, R, type Summary } from '../../syntax/summary.js';
import { basesOf, hasOutsideBase, isSubclass } from './hierarchy.js';
import { type Resolution } from './names.js';
import { uncontradicted, type CallSite } from './overloads.js';
import { membersNamed, type NamedMember } from './possible-members.js';
import type { Resolver } from './resolver.js';
import { fit, signatureOf } from './signature.js';
import { MADE_OF, type Type, type Value } from './value.js';

/** Those of the name whose first parameter's type admits the receiver. */
export function extensionMethods(
  resolver: Resolver,
  file: string,
  summary: Summary,
  expr: number,
  name: string,
  receiver: Type,
): Resolution | undefined {
  if (summary.exprs.roleOf(expr) !== R.callee) return undefined;
  const candidates = extensionsNamed(resolver, summary, name);
  if (candidates.length === 0) return undefined;
  const call = summary.exprs.callOf(expr);
  const fitting =
    call < 0
      ? candidates
      : candidates.filter(
          (ref) => fit(signatureOf(resolver.summary(ref.file), ref.decl), summary.exprs.argumentsOf(call), false).fits,
        );
  if (fitting.length === 0) return undefined;
  const admitted = fitting.filter((ref) => admits(resolver, ref, receiver) !== false);
  if (admitted.length === 0) return undefined;
  const sure = admitted.filter((ref) => admits(resolver, ref, receiver) === true);
  const self = receiver.values[0];
  return {
    targets: meantBy(resolver, sure.length > 0 ? sure : admitted, self, { file, expr: call }),
    external: false,
    confidence:
      sure.length > 0 || (admitted.length === 1 && !mayBeHidden(resolver, admitted, receiver)) ? 'certain' : 'possible',
    via: 'extension method',
    ...(self !== undefined && self.kind !== 'class' ? { self } : {}),
  };
}

/** Extension methods of a name that syntax calls on a value: to take it apart, or to go over it in a loop. */
export const extensionsOn = (resolver: Resolver, file: string, value: Value, name: string): readonly DeclRef[] =>
  extensionsNamed(resolver, resolver.summary(file), name).filter(
    (ref) => admits(resolver, ref, { values: [value], unknown: false }) === true,
  );

/** Of several, those that the arguments do not speak against. */
function meantBy(
  resolver: Resolver,
  methods: readonly DeclRef[],
  self: Value | undefined,
  call: CallSite,
): readonly DeclRef[] {
  if (methods.length < 2 || self === undefined || self.kind === 'class' || call.expr < 0) return methods;
  return uncontradicted(
    resolver,
    methods.map(({ file, decl }) => ({ file, decl, self })),
    call,
  );
}

/** Whether a library's type may have a member of the name, which goes before an extension of every object. */
function mayBeHidden(resolver: Resolver, [method]: readonly DeclRef[], { values }: Type): boolean {
  const first = method === undefined ? undefined : signatureOf(resolver.summary(method.file), method.decl).receiver;
  if (method === undefined || first === undefined) return false;
  const isOfAll = resolver
    .typeOfDecl(method.file, first.decl)
    .values.some(
      (want) => want.kind === 'external' && isEveryObject(resolver.language(method.file).library, want.name),
    );
  return isOfAll && values.some((have) => have.kind === 'external' && have.name !== '');
}

/** Whether the receiver can be the extension method's first parameter; undefined: cannot tell. */
function admits(resolver: Resolver, method: DeclRef, receiver: Type): boolean | undefined {
  const summary = resolver.summary(method.file);
  const first = signatureOf(summary, method.decl).receiver;
  if (first === undefined) return undefined;
  const wanted = resolver.typeOfDecl(method.file, first.decl);
  if (wanted.values.length === 0 || receiver.values.length === 0) return undefined;
  let verdict: boolean | undefined = false;
  for (const want of wanted.values) {
    for (const have of receiver.values) {
      if (want.kind === 'instance' && (have.kind === 'instance' || have.kind === 'super')) {
        if (isSubclass(resolver, have, want)) return true;
        if (hasOutsideBase(resolver, have)) verdict = undefined;
      } else if (want.kind === 'external' && have.kind === 'external') {
        if (want.name === have.name) return true;
        if (mayBeOne(resolver.language(method.file).library, want.name, have.name)) verdict = undefined;
      } else if (want.kind === 'external' && have.kind === 'instance') {
        if (basesOf(resolver, have).external.some((base) => base.name === want.name) || want.name === 'object')
          return true;
        if (hasOutsideBase(resolver, have)) verdict = undefined;
      } else if (have.kind === 'external' && (have.name === '' || have.name === MADE_OF)) verdict = undefined;
    }
  }
  return verdict;
}

/**
 * Whether an object of one library type could be of another one: a container is only other containers, and what every
 * object is.
 */
function mayBeOne(library: LibraryTypes, wanted: string, given: string): boolean {
  const holds = (name: string): boolean => library.sequences.has(name) || library.mappings.has(name);
  return !holds(given) || holds(wanted) || wanted === '' || isEveryObject(library, wanted);
}

const isEveryObject = (library: LibraryTypes, name: string): boolean => name === 'object' || library.anyTypes.has(name);

function extensionsNamed(resolver: Resolver, summary: Summary, name: string): readonly NamedMember[] {
  return resolver.answer<readonly NamedMember[]>('extensions', '', `${summary.language}\0${name}`, [], () =>
    membersNamed(resolver, summary, name).filter((member) => (member.flags & F.extension) !== 0),
  );
}
