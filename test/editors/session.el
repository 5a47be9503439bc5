;;; session.el --- What scripts that drive a real Emacs share  -*- lexical-binding: t; -*-
;; Waiting, looking, and printing at the end what was seen as one JSON object.

(require 'cl-lib)
(require 'json)
(require 'subr-x)

(defvar root (file-truename (getenv "CODEPLAN_TEST_ROOT")))
(defvar seen nil)
(defun saw (key value) (push (cons key value) seen))

(defun until-true (what condition)
  (with-timeout (120 (princ (format "waited in vain for %s\n%S\n" what seen)) (kill-emacs 1))
    (while (not (funcall condition)) (accept-process-output nil 0.02))))

(defun buffer-of (file) (get-file-buffer (expand-file-name file root)))
(defun text-of (file) (with-current-buffer (buffer-of file) (buffer-string)))
(defun on-disk (file) (with-temp-buffer (insert-file-contents (expand-file-name file root)) (buffer-string)))
(defun replace-here (old new) (goto-char (point-min)) (search-forward old) (replace-match new t t))

(defvar program (list (getenv "CODEPLAN_TEST_NODE") (getenv "CODEPLAN_TEST_PROGRAM") "lsp"))

(defun open-with-codeplan (&rest files)
  "Open FILES in codeplan-mode, and wait until the repository is read: what is there by then is no edit."
  (setq codeplan-command program)
  (dolist (file files)
    (find-file (expand-file-name file root))
    (codeplan-mode 1))
  (until-true "the index" (lambda () (equal (plist-get (jsonrpc-request codeplan--connection :codeplan/status (make-hash-table)) :state) "ready"))))

(defun finish ()
  (princ (concat "\n" (json-encode seen) "\n"))
  (kill-emacs 0))
;;; session.el ends here
