;;; emacs-next.el --- From place to place in a real Emacs  -*- lexical-binding: t; -*-
;; Driven by next.test.ts. Prints what was seen as one JSON object.

(require 'codeplan)
(load (expand-file-name "session.el" (file-name-directory load-file-name)) nil t)

(defvar test-said nil)
(advice-add 'message :before (lambda (format &rest arguments) (when format (setq test-said (apply #'format format arguments)))))

(defun here () (format "%s:%s" (file-name-nondirectory (or buffer-file-name "")) (line-number-at-pos)))
(defun at (place) (unless (equal (here) place) (princ (format "at %s, not at %s\n%S\n" (here) place seen)) (kill-emacs 1)))
(defun shown ()
  "Everything that is shown beside the text of this buffer."
  (mapconcat (lambda (overlay)
               (concat (when (eq (overlay-get overlay 'face) 'diff-removed)
                         (concat "-" (buffer-substring-no-properties (overlay-start overlay) (overlay-end overlay))))
                       (when-let ((added (overlay-get overlay 'before-string))) (concat "+" added))
                       (overlay-get overlay 'after-string)))
             codeplan--overlays "\n"))
(defun planned-at (place)
  "At PLACE, with its edit, which may come after the place itself."
  (at place)
  (until-true "the edit" (lambda () (not (string-search "being worked out" (shown))))))
(defun left () (plist-get (plist-get (codeplan--request (codeplan--here) :codeplan/left nil) :counts) :left))

(open-with-codeplan "store.py")
(defvar store (buffer-of "store.py"))
(replace-here "def put" "def insert")
(until-true "what is left" (lambda () (eql (gethash codeplan--connection codeplan--counts 0) 2)))

(codeplan-next)
(planned-at "job.py:5")
(saw 'first (substring-no-properties (shown)))
(codeplan-skip)
(planned-at "report.py:5")
(saw 'second (substring-no-properties (shown)))
(codeplan-take)
(unless (string-search "insert(1, 2), store.insert" (text-of "report.py")) (kill-emacs 2))
(at "job.py:5")
(saw 'unsaved (on-disk "report.py"))
(codeplan-dismiss)
(unless (equal test-said "codeplan: nothing is left") (princ test-said) (kill-emacs 3))

;; One step of the editor's own undo.
(set-buffer (buffer-of "report.py"))
(setq last-command nil)
(undo)
(saw 'undone (text-of "report.py"))
(unless (eql (left) 1) (kill-emacs 4))

;; A place that waits for a value.
(switch-to-buffer store)
(replace-here "def insert" "def put")
(replace-here "ttl)" "ttl, when)")
(codeplan-next)
(planned-at "job.py:5")
(saw 'asked (substring-no-properties (shown)))
(cl-letf (((symbol-function 'completing-read) (lambda (&rest _) "0"))
          ((symbol-function 'y-or-n-p) (lambda (_) t)))
  (codeplan-value))
(at "job.py:5")
(codeplan-take)
(unless (string-search "put(k, 1, 0)" (text-of "job.py")) (kill-emacs 5))
(at "report.py:5")
(codeplan-take)
(unless (string-search "put(1, 2, 0), store.put(3, 4, 0)" (text-of "report.py")) (kill-emacs 6))
(unless (eql (left) 0) (kill-emacs 7))
(saw 'refusal (condition-case refused (progn (codeplan-take) "none") (user-error (cadr refused))))

(finish)
;;; emacs-next.el ends here
