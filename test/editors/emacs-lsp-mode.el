;;; emacs-lsp-mode.el --- A person's session in Emacs with lsp-mode  -*- lexical-binding: t; -*-
;; Driven by emacs-lsp-mode.test.ts. Prints what was seen as one JSON object.

(load "lsp-mode-autoloads" nil t)
(require 'codeplan-lsp-mode)
(load (expand-file-name "session.el" (file-name-directory load-file-name)) nil t)

(setq codeplan-lsp-mode-command program
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

(finish)
;;; emacs-lsp-mode.el ends here
