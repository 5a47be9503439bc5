;;; emacs-refactor.el --- Refactorings in a real Emacs  -*- lexical-binding: t; -*-
;; Driven by refactor.test.ts. Prints what was seen as one JSON object.

(require 'codeplan)
(load (expand-file-name "session.el" (file-name-directory load-file-name)) nil t)

(defun go (file line column)
  (set-buffer (buffer-of file))
  (goto-char (point-min))
  (forward-line (1- line))
  (forward-char column))
(defun plan () (with-current-buffer "*codeplan*" (buffer-substring-no-properties (point-min) (point-max))))
(defun apply-plan () (with-current-buffer "*codeplan*" (codeplan-apply)))
(defun has (file text) (unless (string-search text (text-of file)) (princ (format "%s: %s\n%S" file text (text-of file))) (kill-emacs 1)))

(open-with-codeplan "shop/net.py" "job.py" "store.py")

(go "job.py" 5 11)
(codeplan-rename "insert")
(saw 'renaming (plan))
(saw 'untouched (text-of "job.py"))
(apply-plan)
(has "job.py" "store.insert(k, 1)")
(has "store.py" "def insert")
(saw 'unsaved (on-disk "job.py"))
(set-buffer (buffer-of "job.py"))
(codeplan-undo)
(has "job.py" "store.put(k, 1)")

(go "store.py" 2 9)
(let (offered)
  (cl-letf (((symbol-function 'read-string)
             (lambda (prompt &optional initial) (push (or initial prompt) offered) (if initial (concat initial ", unit: str") "'s'")))
            ((symbol-function 'completing-read) (lambda (&rest _) "'s'"))
            ((symbol-function 'y-or-n-p) (lambda (_) t)))
    (codeplan-change-signature))
  (saw 'offered (car (last offered))))
(saw 'signing (plan))
(apply-plan)
(has "job.py" "store.put(k, 1, 's')")
(set-buffer (buffer-of "job.py"))
(codeplan-undo)
(has "job.py" "store.put(k, 1)")

;; Nothing is done where one of the files cannot be edited.
(with-current-buffer (buffer-of "store.py") (setq buffer-read-only t))
(go "job.py" 5 11)
(codeplan-rename "insert")
(apply-plan)
(saw 'whole (text-of "job.py"))
(with-current-buffer (buffer-of "store.py") (setq buffer-read-only nil))

(go "store.py" 1 7)
(codeplan-move "depot.py")
(apply-plan)
(has "depot.py" "class Store")
(has "job.py" "from depot import Store")
(set-buffer (buffer-of "job.py"))
(codeplan-undo)
(has "store.py" "class Store")
(has "job.py" "from store import Store")

;; A package goes on to export the old name.
(go "shop/net.py" 1 5)
(codeplan-rename "deliver" t)
(saw 'keeping (plan))

(go "job.py" 2 0)
(saw 'refusal (condition-case refused (progn (codeplan-rename "x") "none") (user-error (cadr refused))))

(finish)
;;; emacs-refactor.el ends here
