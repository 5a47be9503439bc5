/**
 * Names that Python provides without an import, and the modules of its standard library.
 *
 * Both lists hold the names of several versions together (Python 2's `unicode` too): a name that
 * is listed but missing in the version at hand is at worst taken for one from outside.
 */

/** Builtins, the attributes of every module, and what type checkers add. */
export const BUILTINS: ReadonlySet<string> = words(`
  ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError
  BufferError BytesWarning ChildProcessError
  ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError
  Ellipsis EncodingWarning EnvironmentError Exception
  ExceptionGroup False FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError
  ImportError ImportWarning IndentationError IndexError
  InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError
  None NotADirectoryError NotImplemented
  NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError ProcessLookupError
  PythonFinalizationError RecursionError ReferenceError
  ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError
  SystemExit TabError TimeoutError True TypeError
  UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning
  UserWarning ValueError Warning WindowsError ZeroDivisionError
  abs aiter all anext any apply ascii basestring bin bool breakpoint buffer bytearray bytes callable chr classmethod
  cmp coerce compile complex copyright credits delattr
  dict dir divmod enumerate eval exec execfile exit file filter float format frozenset getattr globals hasattr hash
  help hex id input int intern isinstance issubclass
  iter len license list locals long map max memoryview min next object oct open ord pow print property quit range
  raw_input reduce reload repr reveal_locals reveal_type
  reversed round set setattr slice sorted staticmethod str sum super tuple type unichr unicode vars xrange zip
  __annotations__ __build_class__ __builtins__ __cached__
  __class__ __debug__ __dict__ __doc__ __file__ __import__ __loader__ __name__ __package__ __path__ __spec__
`);

/** First parts of the standard library's modules. */
export const STANDARD_MODULES: ReadonlySet<string> = words(`
  __future__ _thread _typeshed abc aifc annotationlib antigravity argparse array ast asynchat asyncio asyncore atexit
  audioop base64 bdb binascii bisect builtins bz2
  cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall compression
  concurrent configparser contextlib contextvars copy copyreg
  crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest email encodings ensurepip
  enum errno faulthandler fcntl filecmp fileinput
  fnmatch fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac
  html http idlelib imaplib imghdr imp importlib
  inspect io ipaddress itertools json keyword lib2to3 linecache locale logging lzma mailbox mailcap marshal math
  mimetypes mmap modulefinder msilib msvcrt
  multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev pathlib pdb
  pickle pickletools pipes pkgutil platform plistlib
  poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random
  re readline reprlib resource rlcompleter runpy
  sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd
  sqlite3 sre_compile sre_constants sre_parse ssl stat
  statistics string stringprep struct subprocess sunau symtable sys sysconfig syslog tabnanny tarfile telnetlib
  tempfile termios textwrap this threading time timeit
  tkinter token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types typing unicodedata unittest
  urllib uu uuid venv warnings wave weakref webbrowser
  winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo
`);

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
