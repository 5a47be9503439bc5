;;; emacs.el --- A person's session in a real Emacs  -*- lexical-binding: t; -*-
;; Driven by emacs.test.ts. Prints what was seen as one JSON object.

(require 'codeplan)
(load (expand-file-name "session.el" (file-name-directory load-file-name)) nil t)

(defun to-line (text) (goto-char (point-min)) (search-forward text) (beginning-of-line))

(open-with-codeplan "job.py" "store.py")
(defvar store (buffer-of "store.py"))
(defvar job (buffer-of "job.py"))

;; An edit in the buffer, not saved.
(replace-here "def put" "def insert")
(until-true "a hint" (lambda () (buffer-local-value 'codeplan--diagnostics job)))
(with-current-buffer job
  (flymake-start)
  (until-true "flymake" #'flymake-diagnostics)
  (saw 'hint (flymake-diagnostic-text (car (flymake-diagnostics)))))
(until-true "the mode line" (lambda () (> (gethash codeplan--connection codeplan--counts 0) 0)))
(saw 'lighter (codeplan--lighter))

(codeplan-list)
(with-current-buffer "*codeplan affected*" (saw 'list (buffer-string)))

;; A plan: look at a difference, reject one step, apply the others.
(set-buffer store)
(codeplan-plan)
(set-buffer "*codeplan*")
(to-line "report.py")
(codeplan-diff)
(with-current-buffer "*codeplan diff*" (saw 'diff (buffer-string)))
(set-buffer "*codeplan*")
;; By hunk first: what is left out of a step shows in its mark, and the same key on the hunk takes it again.
(to-line "report.py")
(codeplan-next-row)
(codeplan-unfold)
(codeplan-next-row 2)
(saw 'hunk (buffer-substring (point) (line-end-position)))
(codeplan-reject)
(saw 'inPart (buffer-string))
(to-line "- @@")
(codeplan-accept)
(to-line "report.py")
(codeplan-why)
(codeplan-reject)
(saw 'plan (buffer-string))
;; The same plan as a page, which another program can read as long as this one runs.
(let ((browse-url-browser-function (lambda (url &rest _) (saw 'page (with-current-buffer (url-retrieve-synchronously url) (buffer-string))))))
  (codeplan-page))
(codeplan-apply)
(until-true "the applied edit" (lambda () (string-search "store.insert" (text-of "job.py"))))
(saw 'report (on-disk "report.py"))
(saw 'disk (on-disk "job.py"))
(saw 'modified (if (buffer-modified-p job) "yes" "no"))

(set-buffer store)
(codeplan-undo)
(until-true "the old text" (lambda () (string-search "store.put" (text-of "job.py"))))
(replace-here "def insert" "def put")
(until-true "no hints" (lambda () (null (buffer-local-value 'codeplan--diagnostics job))))
(saw 'job (text-of "job.py"))
(saw 'store (text-of "store.py"))
;; A new parameter without a default: what callers pass is asked for, once for all of them.
;; A name that the package binds itself would be that binding.
(defvar test-prompts nil)
(defvar test-choices nil)
(replace-here "ttl)" "ttl, when)")
(until-true "a hint of the parameter" (lambda () (buffer-local-value 'codeplan--diagnostics job)))
(cl-letf (((symbol-function 'completing-read) (lambda (prompt offered &rest _) (push prompt test-prompts) (setq test-choices offered) "0"))
          ((symbol-function 'y-or-n-p) (lambda (_) t)))
  (codeplan-propagate))
(saw 'choices (vconcat test-choices))
(until-true "the value" (lambda () (string-search "put(k, 1, 0)" (text-of "job.py"))))
(saw 'asked (vconcat test-prompts))
(saw 'given (text-of "report.py"))
(codeplan-undo)
(until-true "no value" (lambda () (string-search "put(k, 1)" (text-of "job.py"))))
;; Or for each place on its own.
(defvar test-values (list "7" "8" "9"))
(cl-letf (((symbol-function 'completing-read) (lambda (&rest _) (pop test-values)))
          ((symbol-function 'y-or-n-p) #'ignore))
  (codeplan-propagate))
(until-true "the first value" (lambda () (string-search "put(k, 1, 7)" (text-of "job.py"))))
(saw 'givenApart (text-of "report.py"))
(codeplan-undo)
(until-true "no values" (lambda () (string-search "put(k, 1)" (text-of "job.py"))))
(replace-here ", when)" ")")
(save-some-buffers t)
(saw 'saved (vconcat (mapcar #'on-disk '("store.py" "job.py" "report.py"))))

;; What a person meets who does something at the wrong time.
(defun refusal (form) (condition-case refused (progn (eval form t) "none") (user-error (cadr refused))))
(until-true "no hints at the end" (lambda () (null (buffer-local-value 'codeplan--diagnostics job))))
(set-buffer store)
(codeplan-list)
(saw 'nothing (with-current-buffer "*codeplan affected*" (buffer-string)))
(saw 'refusals (vector (refusal '(codeplan-plan)) (refusal '(codeplan-undo)) (refusal '(codeplan-accept))))

;; The program ends, and is there again when it is asked for.
(call-process (car program) nil nil nil (cadr program) "daemon" "stop" "--root" root)
(until-true "the end" (lambda () (not (codeplan--live-p))))
(codeplan-status)
(saw 'again (if (and (codeplan--live-p) (with-current-buffer job (codeplan--live-p))) "yes" "no"))

(let ((codeplan-command '("/nowhere/codeplan" "lsp")))
  (find-file (expand-file-name "report.py" root))
  (codeplan-mode 1)
  (saw 'unfound (if codeplan-mode "on" "off")))
(find-file (make-temp-file "stray" nil ".py"))
(codeplan-mode 1)
(saw 'stray (if codeplan-mode "on" "off"))
(saw 'strayed (refusal '(codeplan-list)))

(set-buffer store)
(codeplan-mode 0)
(saw 'off (if (memq #'codeplan--changed after-change-functions) "no" "yes"))

(finish)
;;; emacs.el ends here
