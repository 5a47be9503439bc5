;;; emacs-eglot.el --- Hints beside Eglot in a real Emacs  -*- lexical-binding: t; -*-
;; Driven by eglot.test.ts. Prints what was seen as one JSON object.

(require 'codeplan)
(require 'eglot)
(defvar test-pyright (expand-file-name "../../node_modules/.bin/pyright-langserver" (file-name-directory load-file-name)))
(load (expand-file-name "session.el" (file-name-directory load-file-name)) nil t)

(defun sources () (mapcar (lambda (one) (flymake-diagnostic-text one)) (flymake-diagnostics)))
(defun hinted () (seq-find (lambda (text) (string-search "renamed: put" text)) (sources)))

;; The order in which a person's hooks run: codeplan first, then Eglot connects and takes Flymake over.
(open-with-codeplan "job.py" "store.py")
(defvar store (buffer-of "store.py"))
(defvar job (buffer-of "job.py"))
(add-to-list 'eglot-server-programs `(python-mode . (,test-pyright "--stdio")))
(setq eglot-sync-connect 30)
(with-current-buffer job (apply #'eglot (eglot--guess-contact)))
(until-true "Eglot" (lambda () (with-current-buffer job (eglot-managed-p))))
(set-buffer store)
(replace-here "def put" "def insert")
(until-true "a hint beside Eglot" (lambda () (with-current-buffer job (flymake-start) (hinted))))
(saw 'beside (with-current-buffer job (hinted)))
(saw 'both (if (with-current-buffer job (memq #'eglot-flymake-backend flymake-diagnostic-functions)) "yes" "no"))
(finish)
;;; emacs-eglot.el ends here
