;;; emacs-request.el --- A request in words in a real Emacs  -*- lexical-binding: t; -*-
;; Driven by request.test.ts. Prints what was seen as one JSON object.

(require 'codeplan)
(load (expand-file-name "session.el" (file-name-directory load-file-name)) nil t)

(defun shown () (buffer-substring-no-properties (point-min) (point-max)))
(defun to (text) (goto-char (point-min)) (search-forward text) (beginning-of-line))
(defun press (keys) (call-interactively (key-binding (kbd keys))))
(defun until-shown (what pattern) (until-true what (lambda () (string-match-p pattern (shown)))))
(defun request (words)
  (set-buffer (buffer-of "retry.py"))
  (codeplan-plan-request words)
  (set-buffer "*codeplan request*"))
(defvar answers nil)
(defun answered (&rest _) (pop answers))
(advice-add 'read-string :override (lambda (_prompt &optional initial &rest _) (when initial (saw 'offered initial)) (answered)))
(advice-add 'completing-read :override #'answered)

(open-with-codeplan "retry.py")
(setq codeplan-search-options '(:branching 1 :budget 3))

;; A model that hangs: how far it is stands in the buffer, and the search ends with what is best so far.
(request "Hang a while")
(until-shown "the search" "searching for a plan: Hang a while")
(until-shown "how far it is" "1 plans, the best has 1 steps")
(press "c")
(until-shown "what was best" "Plan 1: 1 step")
(saw 'stopped (shown))

(request "Let the pause have a limit")
(until-shown "the plans" "Plan 2: ")
(saw 'found (shown))
;; The runner-up unfolds, and what is best stays open.
(to "Plan 2")
(press "TAB")
(saw 'unfolded (shown))
(to "Plan 2")
(press "TAB")

;; To a definition, and back.
(to "clock.py:1 ")
(save-current-buffer
  (press "RET")
  (saw 'link (format "%s:%s" (file-name-nondirectory buffer-file-name) (line-number-at-pos))))

(to "  2. ")
(push "read a time as seconds" answers)
(press "r")
(saw 'reworded (shown))
(to "  2. ")
(press "d")
(until-shown "the struck step" "2\\. ~~read a time as seconds~~")
(press "d")
(until-shown "the step again" "2\\. read a time as seconds")
(push "use" answers)
(press "m")
(push "build a clock face" answers)
(press "o")
(to "  3. ")
(push "create face.py:Face" answers)
(press "m")
(to "  1. ")
(push "edit" answers)
(press "m")
(to "units.py:1 ")
(press "d")
(to "retry.py:4 ")
(press "d")
(saw 'edited (shown))

;; Carried out: the plan of edits, as any other.
(press "x")
(set-buffer "*codeplan*")
(saw 'edits (shown))
(codeplan-apply)
(saw 'unsaved (if (file-exists-p (expand-file-name "face.py" root)) 1 0))
(unless (string-search "wait_seconds(3, 5)" (text-of "retry.py")) (princ (text-of "retry.py")) (kill-emacs 1))
(saw 'face (text-of "face.py"))
(set-buffer (buffer-of "retry.py"))
(codeplan-undo)
(unless (string-search "wait_seconds(3)" (text-of "retry.py")) (princ (text-of "retry.py")) (kill-emacs 1))

;; What goes wrong is said, and leaves no buffer behind.
(let (refusals)
  (advice-add 'message :before (lambda (format &rest arguments) (when format (push (apply #'format format arguments) refusals))))
  (saw 'refusals
       (mapcar (lambda (words)
                 (setq refusals nil)
                 (request words)
                 (until-true (concat "no buffer of " words) (lambda () (not (get-buffer "*codeplan request*"))))
                 (until-true "a word" (lambda () refusals))
                 (car refusals))
               '("Refuse it" "Fail at it"))))

(finish)
;;; emacs-request.el ends here
