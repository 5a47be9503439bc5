;;; recording.el --- A session on the demo's shop  -*- lexical-binding: t; -*-
;; Driven by recordings.test.ts: written down as a person would see it. Lines that begin with > are
;; what the person does; what follows is what Emacs shows then.

(require 'codeplan)
(load (expand-file-name "session.el" (file-name-directory load-file-name)) nil t)

(defvar shown nil)
(defun show (text) (push (string-trim-right text) shown))
(defun does (what) (show (concat "\n> " what)))
(defun show-buffer (name) (with-current-buffer name (show (buffer-string))))

(defun command (name)
  "Run the command NAME as with M-x."
  (does (format "M-x %s" name))
  (call-interactively name))

(defun press (key &optional where)
  "Press KEY in the plan, on the line that has WHERE."
  (set-buffer "*codeplan*")
  (when where
    (goto-char (point-min))
    (search-forward where))
  (does (if where (format "%s on the line of %s" key where) key))
  (call-interactively (key-binding (kbd key))))

(defun edit (old new)
  (does (format "replace \"%s\" by \"%s\"" old new))
  (set-buffer pricing)
  (replace-here old new))

(defun save-all ()
  (does "C-x s !")
  (save-some-buffers t))

(defun in-shell (line)
  (does (format "M-! %s" line))
  (show (shell-command-to-string line)))

(does "C-x C-f shop/pricing.py")
(open-with-codeplan "shop/report.py" "shop/pricing.py")
(defvar report (buffer-of "shop/report.py"))
(defvar pricing (buffer-of "shop/pricing.py"))
(edit "sku: str, currency: str" "sku: str")
(until-true "the mode line" (lambda () (> (gethash codeplan--connection codeplan--counts 0) 0)))
(show (format "The mode line says%s" (codeplan--lighter)))
(command 'codeplan-list)
(show-buffer "*codeplan affected*")
(command 'codeplan-plan)
(show-buffer "*codeplan*")
(press "=" "cheapest")
(show-buffer "*codeplan diff*")
(press "r" "cheapest")
(show-buffer "*codeplan*")
(press "x")
(until-true "the applied edits" (lambda () (buffer-modified-p report)))
(save-all)
(in-shell "git diff --stat")
(set-buffer pricing)
(command 'codeplan-undo)
(until-true "the old text" (lambda () (buffer-modified-p report)))
(save-all)
(in-shell "git diff --stat")
(edit "sku: str" "sku: str, currency: str")
(save-all)
(in-shell "git status --short")
(saw 'shown (string-trim (string-join (nreverse shown) "\n")))
(finish)
;;; recording.el ends here
