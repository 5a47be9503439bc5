;;; emacs-lsp-mode.el --- A person's session in Emacs with lsp-mode  -*- lexical-binding: t; -*-
;; Driven by emacs-lsp-mode.test.ts. Prints what was seen as one JSON object.

(load "lsp-mode-autoloads" nil t)
(require 'codeplan-lsp-mode)
(require 'json)

(defvar root (file-truename (getenv "CODEPLAN_TEST_ROOT")))
(defvar seen nil)
(defun saw (key value) (push (cons key value) seen))

(defun until-true (what condition)
  (with-timeout (120 (princ (format "waited in vain for %s\n%S\n" what seen)) (kill-emacs 1))
    (while (not (funcall condition)) (accept-process-output nil 0.02))))

(defun text-of (file) (with-current-buffer (get-file-buffer (expand-file-name file root)) (buffer-string)))

(setq codeplan-lsp-mode-command (list (getenv "CODEPLAN_TEST_NODE") (getenv "CODEPLAN_TEST_PROGRAM") "lsp")
      lsp-enabled-clients '(codeplan)
      lsp-auto-guess-root t
      lsp-session-file (expand-file-name "session" (getenv "HOME"))
      lsp-restart 'ignore
      lsp-warn-no-matched-clients nil)
(require 'python)
(dolist (file '("job.py" "store.py"))
  (find-file (expand-file-name file root))
  (lsp))
(until-true "the server" (lambda () (and (lsp-workspaces) (eq 'initialized (lsp--workspace-status (car (lsp-workspaces)))))))
(until-true "the index" (lambda () (equal "ready" (gethash "state" (lsp-request "codeplan/status" (ht))))))

;; An edit in the buffer, not saved.
(goto-char (point-min))
(search-forward "def put")
(replace-match "def insert" t t)
(defun hints () (gethash (expand-file-name "job.py" root) (lsp-diagnostics)))
(until-true "a hint" #'hints)
(saw 'hint (gethash "message" (seq-elt (hints) 0)))
(codeplan-lsp-mode-propagate)
(until-true "the edit" (lambda () (string-search "store.insert" (text-of "job.py"))))
(until-true "no hint" (lambda () (not (hints))))
(codeplan-lsp-mode-undo)
(until-true "the old text" (lambda () (string-search "store.put" (text-of "job.py"))))
(saw 'job (text-of "job.py"))

(princ (concat "\n" (json-encode seen) "\n"))
(kill-emacs 0)
;;; emacs-lsp-mode.el ends here
