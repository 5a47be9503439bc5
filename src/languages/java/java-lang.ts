/**
 * Names that every Java file sees without an import: the public types of `java.lang` (up to
 * Java 25), the primitive types, `void`, and what classes and enums have unsaid.
 */
const TYPES = `
  AbstractMethodError Appendable ArithmeticException ArrayIndexOutOfBoundsException ArrayStoreException
  AssertionError AutoCloseable Boolean
  BootstrapMethodError Byte CharSequence Character Class ClassCastException ClassCircularityError ClassFormatError
  ClassLoader ClassNotFoundException
  ClassValue CloneNotSupportedException Cloneable Comparable Compiler Deprecated Double Enum
  EnumConstantNotPresentException Error Exception
  ExceptionInInitializerError Float FunctionalInterface IO IllegalAccessError IllegalAccessException
  IllegalArgumentException IllegalCallerException
  IllegalMonitorStateException IllegalStateException IllegalThreadStateException IncompatibleClassChangeError
  IndexOutOfBoundsException
  InheritableThreadLocal InstantiationError InstantiationException Integer InternalError InterruptedException
  Iterable LayerInstantiationException
  LinkageError Long MatchException Math Module ModuleLayer NegativeArraySizeException NoClassDefFoundError
  NoSuchFieldError NoSuchFieldException
  NoSuchMethodError NoSuchMethodException NullPointerException Number NumberFormatException Object OutOfMemoryError
  Override Package Process
  ProcessBuilder ProcessHandle Readable Record ReflectiveOperationException Runnable Runtime RuntimeException
  RuntimePermission SafeVarargs
  ScopedValue SecurityException SecurityManager Short StableValue StackOverflowError StackTraceElement StackWalker
  StrictMath String StringBuffer
  StringBuilder StringIndexOutOfBoundsException SuppressWarnings System Thread ThreadDeath ThreadGroup ThreadLocal
  Throwable TypeNotPresentException
  UnknownError UnsatisfiedLinkError UnsupportedClassVersionError UnsupportedOperationException VerifyError
  VirtualMachineError Void
  WrongThreadException
`;
const PRIMITIVES = 'boolean byte char double float int long short void';

export const JAVA_LANG: ReadonlySet<string> = new Set(
  `${TYPES} ${PRIMITIVES}`.split(/\s+/).filter((name) => name !== ''),
);

/** Methods that every class inherits from `Object`. */
export const OBJECT_MEMBERS: ReadonlySet<string> = new Set([
  'getClass',
  'hashCode',
  'equals',
  'toString',
  'clone',
  'finalize',
  'notify',
  'notifyAll',
  'wait',
]);

/** Methods that every enum has besides. */
export const ENUM_MEMBERS: ReadonlySet<string> = new Set([
  'values',
  'valueOf',
  'name',
  'ordinal',
  'compareTo',
  'getDeclaringClass',
  'describeConstable',
]);
