/**
 * Conditions that rules name: what must be true of a change for the row to apply.
 */
import type { AtomicChange } from '../change/atomic-change.js';
import { isEmptyDelta, type SignatureDelta } from '../change/signature-delta.js';
import { renamedTypeParameters, type RenamedTypeParameter } from '../change/type-parameters.js';
import { isAbstractMember } from '../graph/resolve/abstract-member.js';
import { basesOf, classOfMember, partsOfFunction } from '../graph/resolve/hierarchy.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { grownUnion } from './union-members.js';
import { D, F, type Summary } from '../syntax/summary.js';
import type { Graphs } from './graphs.js';
import { isNarrowed } from './judge-access.js';
import { isBareRetyped, isRepeatableGone } from './judge-annotation.js';
import { isExportOfPart } from './judge-exported-part.js';
import { isOfMadeConstructor } from './judge-made-constructor.js';
import { isValueGone } from './judge-spelled-value.js';
import { isMadeOtherwise } from './made-by-call.js';

export type Predicate = keyof typeof PREDICATES;

/** Type parameters of the changed block that have another name now. */
export function typeParametersRenamedBy({ before, after }: Graphs, change: AtomicChange): RenamedTypeParameter[] {
  return change.before === undefined || change.after === undefined || change.after.decl < 0
    ? []
    : renamedTypeParameters(
        before.summary(change.before.file),
        change.before.decl,
        after.summary(change.after.file),
        change.after.decl,
      );
}

const signature = (change: AtomicChange): SignatureDelta | undefined => change.detail.signature;

/** Whether what callers must write, or get, may differ. */
function shapeChanged(delta: SignatureDelta): boolean {
  return (
    delta.added.length +
      delta.removed.length +
      delta.moved.length +
      delta.madeRequired.length +
      delta.passing.length +
      delta.retyped.length >
      0 ||
    delta.returnType !== undefined ||
    delta.async !== undefined ||
    delta.static !== undefined ||
    delta.extension === false ||
    delta.throws !== undefined
  );
}

const becameRequired = (change: AtomicChange, { before, after }: Graphs): boolean =>
  change.detail.modifiers?.removed.includes('optional') === true ||
  (lacksBody(after, change.after) && change.before !== undefined && !lacksBody(before, change.before));

function lacksBody(resolver: Resolver, ref: DeclRef | undefined): boolean {
  return (
    ref !== undefined &&
    [ref, ...partsOfFunction(resolver, ref)].every(({ file, decl }) => isLeftOut(resolver.summary(file), decl))
  );
}

/** Whether it is another's to write the body: in a class, a signature without one is one of an overload. */
function isLeftOut(summary: Summary, decl: number): boolean {
  const { decls } = summary;
  const owner = classOfMember(summary, decl);
  const kind = owner === undefined ? undefined : decls.kindOf(owner);
  const isOfInterface = kind === D.interface || kind === D.typeAlias;
  return decls.has(decl, F.abstract) || (isOfInterface && decls.has(decl, F.bodiless));
}

/** Whether a method became a property, or the other way. */
const becameOther = ({ detail: { modifiers } }: AtomicChange): boolean =>
  [...(modifiers?.added ?? []), ...(modifiers?.removed ?? [])].includes('getter');

const escapes = ({ detail }: AtomicChange): boolean => detail.escapes !== undefined || detail.shape !== undefined;

export const PREDICATES = {
  escapes,
  propertyEscapes: (change: AtomicChange, { after }: Graphs): boolean =>
    escapes(change) &&
    change.after !== undefined &&
    after.summary(change.after.file).decls.has(change.after.decl, F.getter),
  /** What a function returns is written out in place, and is made of something else. */
  resultShape: ({ detail }: AtomicChange): boolean => detail.shape !== undefined,
  otherShape: ({ label, detail }: AtomicChange): boolean => label === 'MF' && detail.shape !== undefined,
  renamedOrMoved: (change: AtomicChange): boolean =>
    change.detail.rename !== undefined || change.detail.move !== undefined,
  renamed: (change: AtomicChange): boolean => change.detail.rename !== undefined,
  shapeChanged: (change: AtomicChange): boolean => {
    const delta = signature(change);
    return delta !== undefined && (shapeChanged(delta) || becameOther(change));
  },
  /** Whether an override must follow: parameter names alone matter where calls can be made by keyword. */
  contractChanged: (change: AtomicChange): boolean => {
    const delta = signature(change);
    return (
      delta !== undefined &&
      (shapeChanged(delta) ||
        becameOther(change) ||
        delta.renamed.length > 0 ||
        delta.madeOptional.length > 0 ||
        delta.visibility !== undefined ||
        delta.typeParams === true)
    );
  },
  exportOfPart: isExportOfPart,
  parameterRenamed: (change: AtomicChange): boolean => (signature(change)?.renamed.length ?? 0) > 0,
  parameterGone: (change: AtomicChange): boolean => {
    const delta = signature(change);
    return delta !== undefined && delta.removed.length + delta.renamed.length > 0;
  },
  enumMember: (change: AtomicChange, { after }: Graphs): boolean =>
    change.after !== undefined && after.summary(change.after.file).decls.kindOf(change.after.decl) === D.enumMember,
  derives: ({ after: ref }: AtomicChange, { after }: Graphs): boolean =>
    ref !== undefined && basesOf(after, ref).classes.length > 0,
  typeChanged: (change: AtomicChange): boolean =>
    (['type', 'modifiers', 'setFrom', 'readFrom', 'noConstant'] as const).some(
      (part) => change.detail[part] !== undefined,
    ),
  /** A property that those below have to write in full, and can be set, or read, as well now. */
  gainedAccessor: ({ after: now, before: was, detail: { modifiers } }: AtomicChange, { after }: Graphs): boolean =>
    now !== undefined &&
    was !== undefined &&
    (modifiers?.added.includes('setter') === true || modifiers?.added.includes('getter') === true) &&
    isAbstractMember(after.summary(now.file), now.decl),
  /** A property that cannot be set, or read, any more. */
  lostAccessor: ({ detail: { modifiers } }: AtomicChange): boolean =>
    modifiers?.removed.includes('setter') === true || modifiers?.removed.includes('getter') === true,
  basesChanged: (change: AtomicChange): boolean => change.detail.bases !== undefined,
  unionGrew: (change: AtomicChange, graphs: Graphs): boolean => grownUnion(graphs, change) !== undefined,
  typeParamsRenamed: (change: AtomicChange, graphs: Graphs): boolean =>
    typeParametersRenamedBy(graphs, change).length > 0,
  /** A type that is nothing but another type, or a signature: an alias, a delegate, a variable that holds a type. */
  meaningChanged: (change: AtomicChange, graphs: Graphs): boolean => {
    const { label, kind, detail } = change;
    const { type, signature, valueOnly } = detail;
    if (label === 'MF') return valueOnly === true && grownUnion(graphs, change) === undefined;
    return (
      (kind === 'typeAlias' && type !== undefined) ||
      (kind === 'delegate' && (type !== undefined || (signature !== undefined && !isEmptyDelta(signature))))
    );
  },
  /** A type of which something without a name changed: what its values can be called or indexed with. */
  namelessChanged: ({ before: was, after: is, detail: { own } }: AtomicChange, { before, after }: Graphs): boolean => {
    const hasNameless = (resolver: Resolver, ref: DeclRef | undefined): boolean => {
      if (ref === undefined || ref.decl < 0) return false;
      const { structural, checksTypes } = resolver.language(ref.file);
      const kind = resolver.summary(ref.file).decls.kindOf(ref.decl);
      return kind === D.interface || kind === D.typeAlias || (kind === D.class && structural && checksTypes);
    };
    return own === 'body' && hasNameless(before, was) && hasNameless(after, is);
  },
  repeatableGone: isRepeatableGone,
  bareRetyped: isBareRetyped,
  /** A member of an enumeration that can be called by its values, of which one went. */
  valueGone: isValueGone,
  /** A variable whose class a call makes of other words. */
  madeOtherwise: isMadeOtherwise,
  typeParamsChanged: (change: AtomicChange): boolean => change.detail.typeParams !== undefined,
  becameAbstract: (change: AtomicChange): boolean => change.detail.modifiers?.added.includes('abstract') === true,
  /** A member that objects could go without before: it was optional, or had a body to inherit. */
  becameRequired,
  becameOptional: ({ detail }: AtomicChange): boolean => detail.modifiers?.added.includes('optional') === true,
  /** The same of a member that classes below have to write themselves, and do not inherit. */
  mustBeWritten: (change: AtomicChange, graphs: Graphs): boolean =>
    becameRequired(change, graphs) &&
    change.after !== undefined &&
    isAbstractMember(graphs.after.summary(change.after.file), change.after.decl),
  /** Where a decorator's result takes the function's place. */
  decorated: ({ after: ref, detail: { modifiers } }: AtomicChange, { after }: Graphs): boolean => {
    if (ref === undefined || modifiers === undefined || !after.language(ref.file).decoratorsReplace) return false;
    return [...modifiers.added, ...modifiers.removed].some(
      (name) => name.startsWith('@') && !after.language(ref.file).plainDecorators.has(name.slice(1)),
    );
  },
  narrowed: isNarrowed,
  /** A member that belongs to the objects of its class now. */
  noLongerStatic: ({ detail: { signature: delta, modifiers } }: AtomicChange): boolean =>
    delta?.static === false || modifiers?.removed.includes('static') === true,
  /** A field of which a generator may have made a parameter of its class's constructor. */
  madeConstructor: isOfMadeConstructor,
  /** An element of an annotation that every use must give now, or that no bare value means any more. */
  elementRequired: ({ after: ref, detail, label }: AtomicChange, { after }: Graphs): boolean => {
    if (ref === undefined || ref.decl < 0) return false;
    const { decls } = after.summary(ref.file);
    const owner = decls.parentOf(ref.decl);
    if (owner < 0 || decls.kindOf(owner) !== D.annotation) return false;
    if (detail.rename !== undefined) return true;
    return (
      !decls.has(ref.decl, F.optional) && (label === 'AM' || detail.modifiers?.removed.includes('optional') === true)
    );
  },
  /** What nothing may override, or derive from, any more. */
  sealed: ({ detail: { modifiers }, after: now }: AtomicChange, { after }: Graphs): boolean => {
    if (modifiers === undefined) return false;
    if (modifiers.added.some((name) => name === 'final' || name === '@final')) return true;
    // Where what may be overridden says so, a member that was abstract has to say it once it is not.
    const isSaid = now !== undefined && after.language(now.file).overridesAreSaid;
    const isLost = modifiers.removed.includes('virtual') || (isSaid && modifiers.removed.includes('abstract'));
    return isLost && !['virtual', 'abstract', 'override'].some((name) => modifiers.added.includes(name));
  },
  /** A member without a body in an interface or abstract class. */
  abstractMember: ({ after: ref }: AtomicChange, { after }: Graphs): boolean =>
    ref !== undefined && isAbstractMember(after.summary(ref.file), ref.decl),
  /** A member that keeps a class from being made, which could be made as long as it had none such. */
  keepsFromBeingMade: (change: AtomicChange, graphs: Graphs): boolean => {
    const { after: ref } = change;
    if (ref === undefined || graphs.after.language(ref.file).abstractByMembers === undefined) return false;
    return change.label === 'AM'
      ? isAbstractMember(graphs.after.summary(ref.file), ref.decl)
      : becameRequired(change, graphs);
  },
  /** What says which attributes the places of a class pattern stand for. */
  namesPlaces: ({ before: was, block }: AtomicChange, { before }: Graphs): boolean => {
    const name = was === undefined ? undefined : before.language(was.file).patternMember;
    return name !== undefined && block.endsWith(`.${name}`);
  },
  /** A field that nothing initialises where it is declared. */
  needsValue,
  /** A field that has to be given its value by whoever makes the object, and had not. */
  becameFinal: (change: AtomicChange, graphs: Graphs): boolean =>
    change.detail.modifiers?.added.includes('final') === true &&
    graphs.after.language(change.file).finalConstants &&
    needsValue(change, graphs),
} satisfies Record<string, (change: AtomicChange, graphs: Graphs) => boolean>;

/** A field without a value of its own, of an object. */
function needsValue({ after: ref }: AtomicChange, { after }: Graphs): boolean {
  if (ref === undefined) return false;
  const { decls } = after.summary(ref.file);
  const isComputed = decls.kindOf(ref.decl) === D.property && decls.bodyStartOf(ref.decl) < decls.endOf(ref.decl);
  return decls.valueOf(ref.decl) < 0 && !isComputed && !decls.has(ref.decl, F.static | F.optional | F.bodiless);
}
