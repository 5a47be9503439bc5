;;; codeplan.el --- Consequences of the latest edit, carried through  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 the codeplan authors

;; Author: the codeplan authors
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; URL: https://arxiv.org/abs/2309.12499
;; Keywords: tools, languages
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; You change a declaration; `codeplan-mode' shows, as Flymake notes and
;; without a save, which places in open files the change affects.
;; `codeplan-next' goes to the nearest one and shows its edit on the
;; spot, for `codeplan-take', `codeplan-skip' or `codeplan-dismiss'.
;; `codeplan-list' lists all of them, `codeplan-plan' the edits that
;; follow, to be accepted or rejected one by one, `codeplan-apply' makes
;; them in buffers, and `codeplan-undo' takes them back.
;; `codeplan-plan-request' shows plans for a request in words, to be
;; edited step by step and carried out.
;;
;; It speaks to the program `codeplan' through a connection of its own, so
;; that Eglot or lsp-mode keep the server that they have.

;;; Code:

(require 'cl-lib)
(require 'diff-mode)
(require 'flymake)
(require 'jsonrpc)
(require 'seq)
(require 'subr-x)
(require 'url-util)

(defgroup codeplan nil
  "Consequences of the latest edit."
  :group 'tools
  :prefix "codeplan-")

(defcustom codeplan-command '("codeplan" "lsp")
  "The program and its arguments."
  :type '(repeat string)
  :package-version '(codeplan . "0.1.0"))

(defcustom codeplan-idle-delay 0.2
  "Seconds without a key after which an edit is told to the program."
  :type 'number
  :package-version '(codeplan . "0.1.0"))

(defcustom codeplan-timeout 600
  "Seconds after which an answer is waited for no longer."
  :type 'number
  :package-version '(codeplan . "0.1.0"))

(defcustom codeplan-settings nil
  "Settings like those of `codeplan.json', as a property list, for `hints'."
  :type '(plist)
  :package-version '(codeplan . "0.1.0"))

;;;; The connection: one for each root

(defvar codeplan--connections (make-hash-table :test #'equal)
  "Connections by root.")

(defvar codeplan--counts (make-hash-table :test #'eq :weakness 'key)
  "How many blocks the latest edit affects, by connection.")

(defvar-local codeplan--connection nil
  "The connection of this buffer.")
(defvar-local codeplan--version 0
  "Version of this buffer's text, as the program knows it.")
(defvar-local codeplan--timer nil
  "Runs when an edit is to be told.")
(defvar-local codeplan--diagnostics nil
  "What the program last said of this buffer.")
(defvar-local codeplan--report nil
  "Flymake's function to report to.")

(defun codeplan--root (file)
  "The nearest folder above FILE with a settings file or a repository."
  (when-let ((folder (or (locate-dominating-file file "codeplan.json")
                         (locate-dominating-file file ".git"))))
    (directory-file-name (file-truename folder))))

(defun codeplan--uri (file)
  "FILE as a URI."
  (concat "file://" (url-hexify-string (file-truename file) (url--allowed-chars (append '(?/) url-unreserved-chars)))))

(defun codeplan--file (uri)
  "The file that URI names."
  (decode-coding-string (url-unhex-string (string-remove-prefix "file://" uri)) 'utf-8))

(defun codeplan--capabilities ()
  "What this client can do."
  (list :textDocument (list :publishDiagnostics '(:versionSupport t) :codeAction '(:codeActionLiteralSupport (:codeActionKind (:valueSet ["quickfix" "refactor"]))))
        :workspace (list :applyEdit t :workspaceEdit '(:documentChanges t :resourceOperations ["create" "rename" "delete"]))
        :experimental '(:codeplan (:version 1))))

(defun codeplan--connect (root)
  "A new connection for ROOT."
  (let* ((default-directory (file-name-as-directory root))
         (connection
          (apply
           #'make-instance
           'jsonrpc-process-connection
           :name (format "codeplan %s" (file-name-nondirectory root))
           :process (lambda ()
                      ;; Else Emacs waits before it reads on, up to 20 ms for each answer.
                      (let ((process-adaptive-read-buffering nil))
                        (make-process :name "codeplan" :command codeplan-command :connection-type 'pipe
                                      :coding 'utf-8-emacs-unix :noquery t
                                      :stderr (get-buffer-create " *codeplan stderr*"))))
           :notification-dispatcher #'codeplan--notified
           :request-dispatcher #'codeplan--requested
           :on-shutdown (lambda (_) (remhash root codeplan--connections))
           ;; A log of every message would take longer to write than to act upon.
           (if (slot-exists-p 'jsonrpc-process-connection '-events-buffer-config)
               '(:events-buffer-config (:size 0 :format full))
             '(:events-buffer-scrollback-size 0)))))
    (jsonrpc-request connection :initialize
                     (list :processId (emacs-pid) :rootUri (codeplan--uri root)
                           :workspaceFolders (vector (list :uri (codeplan--uri root) :name root))
                           :initializationOptions (or codeplan-settings (make-hash-table))
                           :capabilities (codeplan--capabilities)))
    (jsonrpc-notify connection :initialized (make-hash-table))
    (puthash root connection codeplan--connections)))

(defun codeplan--connection-of (root)
  "The connection for ROOT, which is made if there is none."
  (let ((known (gethash root codeplan--connections)))
    (if (and known (jsonrpc-running-p known)) known (codeplan--connect root))))

(defun codeplan--live-p ()
  "Whether this buffer has a connection that stands."
  (and codeplan--connection (jsonrpc-running-p codeplan--connection)))

(defun codeplan--here ()
  "This buffer's connection, made anew if the program has ended.
An error if the buffer has none."
  (unless codeplan--connection
    (user-error "Turn codeplan-mode on in a file of a repository first"))
  (unless (codeplan--live-p)
    (unless (bound-and-true-p codeplan-mode)
      (user-error "The program has ended since; make the plan anew"))
    (let ((ended codeplan--connection)
          (root (codeplan--root buffer-file-name)))
      (dolist (buffer (seq-filter (lambda (buffer) (eq (buffer-local-value 'codeplan--connection buffer) ended)) (buffer-list)))
        (with-current-buffer buffer
          (when (bound-and-true-p codeplan-mode) (codeplan--attach root))))))
  (codeplan--tell)
  codeplan--connection)

(defvar codeplan--requests 0
  "How many requests were made, to name each.")

(defvar codeplan--progress (make-hash-table :test #'equal)
  "Who is told how far a request is, by the request's token.")

(defun codeplan--request (connection method params)
  "The answer of CONNECTION to METHOD with PARAMS; a quit cancels it."
  (let ((token (format "emacs-%d" (cl-incf codeplan--requests)))
        ;; A plan can be a megabyte, which old versions read in pieces of 4 KB.
        (read-process-output-max (max read-process-output-max 65536))
        answered)
    (unwind-protect
        (condition-case refused
            (prog1 (jsonrpc-request connection method (append (list :workDoneToken token) params) :timeout codeplan-timeout)
              (setq answered t))
          (jsonrpc-error
           (setq answered (alist-get 'jsonrpc-error-code (cdr refused)))
           (user-error "Codeplan: %s" (or (alist-get 'jsonrpc-error-message (cdr refused)) (cadr refused)))))
      (unless (or answered (not (jsonrpc-running-p connection)))
        (jsonrpc-notify connection :window/workDoneProgress/cancel (list :token token))))))

;;;; What the program says

(defun codeplan--notified (connection method params)
  "Take notification METHOD with PARAMS of CONNECTION in."
  (pcase method
    ('textDocument/publishDiagnostics
     (when-let ((buffer (get-file-buffer (codeplan--file (plist-get params :uri)))))
       (with-current-buffer buffer
         (setq codeplan--diagnostics (append (plist-get params :diagnostics) nil))
         (codeplan--publish))))
    ('$/progress
     (when-let ((told (gethash (plist-get params :token) codeplan--progress))
                (said (plist-get (plist-get params :value) :message)))
       (funcall told said)))
    ('codeplan/reviewed (codeplan--reviewed (plist-get params :run)))
    ('codeplan/changed
     (puthash connection (plist-get params :affected) codeplan--counts)
     (force-mode-line-update t))
    ('window/showMessage (message "%s" (plist-get params :message)))))

(defun codeplan--requested (_connection method params)
  "Answer request METHOD with PARAMS."
  (pcase method
    ('workspace/applyEdit (codeplan--apply-edit (plist-get params :edit)))
    (_ (jsonrpc-error :code -32601 :message (format "no method %s" method)))))

;;;; Texts

(defun codeplan--text ()
  "The whole text of this buffer."
  (save-restriction (widen) (buffer-substring-no-properties (point-min) (point-max))))

(defun codeplan--open ()
  "Tell the program of this buffer."
  (jsonrpc-notify codeplan--connection :textDocument/didOpen
                  (list :textDocument (list :uri (codeplan--uri buffer-file-name) :languageId (string-remove-suffix "-mode" (symbol-name major-mode))
                                            :version (cl-incf codeplan--version) :text (codeplan--text)))))

(defun codeplan--tell ()
  "Tell the program of this buffer's text, if that is due."
  (when codeplan--timer
    (cancel-timer codeplan--timer)
    (setq codeplan--timer nil)
    (when (codeplan--live-p)
      (jsonrpc-notify codeplan--connection :textDocument/didChange
                      (list :textDocument (list :uri (codeplan--uri buffer-file-name) :version (cl-incf codeplan--version))
                            :contentChanges (vector (list :text (codeplan--text))))))))

(defun codeplan--changed (&rest _)
  "Tell the program of an edit when the person rests."
  (when codeplan--timer (cancel-timer codeplan--timer))
  (let ((buffer (current-buffer)))
    (setq codeplan--timer
          (run-with-timer codeplan-idle-delay nil
                               (lambda () (when (buffer-live-p buffer) (with-current-buffer buffer (codeplan--tell))))))))

(defun codeplan--close ()
  "Tell the program of the end of this buffer."
  (when codeplan--timer (cancel-timer codeplan--timer) (setq codeplan--timer nil))
  (when (codeplan--live-p)
    (jsonrpc-notify codeplan--connection :textDocument/didClose (list :textDocument (list :uri (codeplan--uri buffer-file-name))))))

(defun codeplan--point (position)
  "The place that POSITION names: lines from 0, columns in UTF-16 units."
  (save-restriction
    (widen)
    (save-excursion
      (goto-char (point-min))
      (forward-line (plist-get position :line))
      (let ((left (plist-get position :character)))
        (while (and (> left 0) (not (eolp)))
          (cl-decf left (if (> (char-after) #xffff) 2 1))
          (forward-char)))
      (point))))

;;;; Edits: all of them, or none

(defun codeplan--target (change)
  "The file that CHANGE of a workspace edit is about."
  (codeplan--file (or (plist-get change :uri) (plist-get change :oldUri) (plist-get (plist-get change :textDocument) :uri))))

(defun codeplan--obstacle (change)
  "Why CHANGE cannot be made, or nil."
  (let* ((kind (plist-get change :kind))
         (file (codeplan--target change))
         (new (if (equal kind "rename") (codeplan--file (plist-get change :newUri)) (and (equal kind "create") file)))
         (buffer (get-file-buffer file))
         (version (plist-get (plist-get change :textDocument) :version)))
    (cond
     ((and new (or (file-exists-p new) (buffer-live-p (get-file-buffer new)))) (format "%s is there already" new))
     ((stringp (file-locked-p file)) (format "%s is edited by %s" file (file-locked-p file)))
     ((and (file-exists-p file) (not (file-writable-p file))) (format "%s cannot be written" file))
     ((null buffer) nil)
     ((buffer-local-value 'buffer-read-only buffer) (format "the buffer of %s is read-only" file))
     ((not (verify-visited-file-modtime buffer)) (format "%s has changed on the disk since it was read" file))
     ((and version (with-current-buffer buffer (or codeplan--timer (/= version codeplan--version))))
      (format "the text of %s moved on" (buffer-name buffer))))))

(defun codeplan--change-text (buffer edits)
  "Make EDITS in BUFFER, as one step of undo.  Gives what takes them back."
  (with-current-buffer buffer
    ;; What is unsaved has to be known, or the place would be left still.
    (unless (bound-and-true-p codeplan-mode) (codeplan-mode 1))
    (let ((before (codeplan--text)))
      (undo-boundary)
      (atomic-change-group
        ;; From the last to the first, so that places before an edit stay where they are.
        (dolist (one (nreverse (sort edits (lambda (a b) (< (codeplan--point (plist-get (plist-get a :range) :start)) (codeplan--point (plist-get (plist-get b :range) :start)))))))
          (let ((range (plist-get one :range)))
            (save-excursion
              (goto-char (codeplan--point (plist-get range :start)))
              (delete-region (point) (codeplan--point (plist-get range :end)))
              (insert (plist-get one :newText))))))
      (undo-boundary)
      (codeplan--tell)
      (lambda ()
        (with-current-buffer buffer
          (save-restriction
            (widen)
            (erase-buffer)
            (insert before))
          (codeplan--tell))))))

(defun codeplan--rename-file (old new)
  "Give OLD and its buffer the path NEW.  Gives what takes it back."
  (make-directory (file-name-directory new) t)
  (let ((buffer (get-file-buffer old)))
    (rename-file old new)
    (when buffer
      (with-current-buffer buffer
        (when (bound-and-true-p codeplan-mode) (codeplan-mode -1))
        (set-visited-file-name new t t)
        (codeplan-mode 1)))
    (lambda () (codeplan--rename-file new old))))

(defun codeplan--delete-file (file)
  "Take FILE and its buffer away.  Gives what takes it back."
  (let* ((buffer (get-file-buffer file))
         (unsaved (and buffer (buffer-modified-p buffer) (with-current-buffer buffer (codeplan--text))))
         (saved (and (file-exists-p file)
                     (with-temp-buffer (insert-file-contents-literally file) (buffer-string)))))
    (when buffer
      (with-current-buffer buffer (set-buffer-modified-p nil))
      (kill-buffer buffer))
    (when saved (delete-file file))
    (lambda ()
      (when saved (let ((coding-system-for-write 'no-conversion)) (write-region saved nil file nil 'quiet)))
      (when unsaved
        (with-current-buffer (find-file-noselect file)
          (erase-buffer)
          (insert unsaved))))))

(defun codeplan--make-change (change)
  "Make CHANGE of a workspace edit.  Gives what takes it back."
  (let ((file (codeplan--target change)))
    (pcase (plist-get change :kind)
      ("rename" (codeplan--rename-file file (codeplan--file (plist-get change :newUri))))
      ("delete" (codeplan--delete-file file))
      ("create"
       (make-directory (file-name-directory file) t)
       (let ((buffer (find-file-noselect file)))
         (lambda ()
           (with-current-buffer buffer (set-buffer-modified-p nil))
           (kill-buffer buffer))))
      (_ (codeplan--change-text (find-file-noselect file) (append (plist-get change :edits) nil))))))

(defun codeplan--apply-edit (edit)
  "Make the workspace EDIT in buffers, all of it or nothing."
  (let* ((changes (append (plist-get edit :documentChanges) nil))
         (obstacle (seq-some #'codeplan--obstacle changes))
         done)
    (if obstacle
        (list :applied :json-false :failureReason obstacle)
      (condition-case failed
          (progn
            (dolist (change changes) (push (codeplan--make-change change) done))
            (list :applied t))
        (error
         (mapc #'funcall done)
         (list :applied :json-false :failureReason (error-message-string failed)))))))

;;;; Flymake

(defun codeplan-flymake (report &rest _)
  "Keep REPORT for Flymake, and call it with the hints."
  (setq codeplan--report report)
  (codeplan--publish))

(defun codeplan--publish ()
  "Report the hints of this buffer to Flymake."
  ;; Eglot puts its own backend in place of all others when it connects; Flymake then asks ours again.
  (when (and (bound-and-true-p codeplan-mode) (not (memq #'codeplan-flymake flymake-diagnostic-functions)))
    (codeplan--join-flymake))
  (when (and codeplan--report flymake-mode)
    (funcall codeplan--report
             (mapcar (lambda (hint)
                       (let ((range (plist-get hint :range)))
                         (flymake-make-diagnostic (current-buffer) (codeplan--point (plist-get range :start)) (codeplan--point (plist-get range :end))
                                                  :note (plist-get hint :message))))
                     codeplan--diagnostics))))

(defun codeplan--join-flymake ()
  "Have Flymake ask for the hints of this buffer."
  (setq codeplan--report nil)
  (add-hook 'flymake-diagnostic-functions #'codeplan-flymake nil t)
  (if flymake-mode (flymake-start) (flymake-mode 1)))

(defun codeplan--eglot-joined ()
  "Stay beside Eglot, which has just connected or gone."
  (when (bound-and-true-p codeplan-mode) (codeplan--join-flymake)))

(defun codeplan--lighter ()
  "The mode's part of the mode line."
  (let ((count (gethash codeplan--connection codeplan--counts 0)))
    (if (> count 0) (format " CP:%d" count) " CP")))

(defun codeplan--attach (root)
  "Join this buffer to the connection of ROOT."
  (setq codeplan--connection (codeplan--connection-of root))
  (codeplan--open))

(defun codeplan--start (root)
  "Follow this buffer as a file of ROOT."
  (codeplan--attach root)
  (add-hook 'after-change-functions #'codeplan--changed nil t)
  (add-hook 'kill-buffer-hook #'codeplan--close nil t)
  (add-hook 'eglot-managed-mode-hook #'codeplan--eglot-joined nil t)
  (codeplan--join-flymake))

;;;###autoload
(define-minor-mode codeplan-mode
  "Show what the latest edit affects, and carry it through."
  :lighter (:eval (codeplan--lighter))
  :group 'codeplan
  (if codeplan-mode
      (let ((root (and buffer-file-name (codeplan--root buffer-file-name))))
        ;; Modes are turned on by hooks, where an error would keep other hooks from running.
        (cond
         ((not root)
          (setq codeplan-mode nil)
          (message "codeplan: this buffer is no file of a repository"))
         ((not (executable-find (car codeplan-command)))
          (setq codeplan-mode nil)
          (message "codeplan: the program %s is not to be found; see `codeplan-command'" (car codeplan-command)))
         (t (codeplan--start root))))
    (codeplan--close)
    (remove-hook 'after-change-functions #'codeplan--changed t)
    (remove-hook 'kill-buffer-hook #'codeplan--close t)
    (remove-hook 'eglot-managed-mode-hook #'codeplan--eglot-joined t)
    (setq codeplan--connection nil
          codeplan--diagnostics nil)
    (codeplan--publish)
    (remove-hook 'flymake-diagnostic-functions #'codeplan-flymake t)
    (setq codeplan--report nil)))

;;;; The plan, and the list of what is affected

(defvar-local codeplan--plan nil
  "The plan of this buffer.")
(defvar-local codeplan--asked nil
  "What the plan of this buffer is of, if it is not of the latest edit.
A refactoring, or a plan in words as (:words TEXT).")
(defvar-local codeplan--rows nil
  "What the program shows of the plan of this buffer.")
(defvar-local codeplan--help ""
  "The first line of this buffer: its keys.")
(defvar-local codeplan--folded nil
  "Whether rows are folded that were touched, by their keys.")
(defvar-local codeplan--root nil
  "The folder that the file names of this buffer start from.")

(defvar codeplan-plan-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map "a" #'codeplan-accept)
    (define-key map "r" #'codeplan-reject)
    (define-key map "=" #'codeplan-diff)
    (define-key map "w" #'codeplan-why)
    (define-key map "x" #'codeplan-apply)
    (define-key map (kbd "RET") #'codeplan-visit)
    (define-key map "n" #'codeplan-next-row)
    (define-key map "p" #'codeplan-previous-row)
    (define-key map (kbd "TAB") #'codeplan-unfold)
    (define-key map "g" #'codeplan-again)
    (define-key map "v" #'codeplan-again)
    map)
  "Keys of `codeplan-plan-mode'.")

(define-derived-mode codeplan-plan-mode special-mode "Codeplan"
  "Show a plan, step by step, with marks."
  (setq-local next-error-function #'codeplan--next)
  (setq codeplan--help "TAB unfold   a accept   r reject   = diff   w why   v value   x apply   g again   RET visit   q quit"))

(defun codeplan--next (count &optional reset)
  "Go COUNT places on, from the top if RESET, and visit the place."
  (when reset (goto-char (point-min)))
  (let ((step (if (< count 0) -1 1)))
    (dotimes (_ (abs count))
      (forward-line step)
      (while (and (not (get-text-property (point) 'codeplan-place)) (not (if (< step 0) (bobp) (eobp))))
        (forward-line step))))
  (codeplan-visit))

(defun codeplan--command (connection name &optional argument)
  "Run the program's command NAME on CONNECTION with ARGUMENT."
  (codeplan--request connection :workspace/executeCommand
                     (list :command name :arguments (vector (or argument (make-hash-table))))))

(defun codeplan--seq (plist key)
  "The list under KEY of PLIST."
  (append (plist-get plist key) nil))

(defun codeplan--step (id)
  "The step ID of the plan of this buffer."
  (seq-find (lambda (step) (eql (plist-get step :id) id)) (codeplan--seq codeplan--plan :steps)))

(defun codeplan--line (place text)
  "Insert TEXT as the line of PLACE."
  (insert (propertize (concat (string-replace "\n" " " text) "\n") 'codeplan-place place)))

(defconst codeplan--faces
  '(("file" . bold) ("alike" . italic) ("open" . warning) ("hunk" . shadow)
    ("added" . diff-added) ("removed" . diff-removed)
    ("plan" . bold) ("struck" . shadow) ("symbol" . link) ("nothing" . warning))
  "The face of each kind of row.")

(defun codeplan--folded-p (row)
  "Whether ROW is folded."
  (let ((said (assoc (plist-get row :key) codeplan--folded)))
    (if said (cdr said) (eq (plist-get row :isFolded) t))))

(defun codeplan--draw ()
  "Write the plan of this buffer."
  (let ((inhibit-read-only t)
        (line (line-number-at-pos))
        hidden-below)
    (erase-buffer)
    (insert codeplan--help "\n")
    (dolist (sum (codeplan--seq codeplan--rows :head)) (insert sum "\n"))
    (insert "\n")
    (dolist (row (codeplan--seq codeplan--rows :rows))
      (let ((level (plist-get row :level)))
        (when (or (null hidden-below) (<= level hidden-below))
          (setq hidden-below (and (codeplan--folded-p row) level))
          (codeplan--line row (propertize (concat (make-string (* 2 level) ?\s) (plist-get row :text))
                                          'face (cdr (assoc (plist-get row :kind) codeplan--faces)))))))
    (goto-char (point-min))
    (forward-line (1- line))))

(defun codeplan--refresh ()
  "Ask for the rows of the plan of this buffer anew, and write them.
Those that are hidden do not come with the others: they may be thousands."
  (let ((folded (make-hash-table :test #'equal)))
    (pcase-dolist (`(,key . ,is-folded) codeplan--folded) (puthash key (if is-folded t :json-false) folded))
    (setq codeplan--rows (codeplan--request codeplan--connection :codeplan/rows
                                            (list :run (plist-get codeplan--plan :run) :folded folded))))
  (codeplan--draw))

(defun codeplan--reviewed (run)
  "Write the rows of RUN anew where it is shown, since it was reviewed elsewhere."
  (dolist (buffer (buffer-list))
    (with-current-buffer buffer
      (when (and (derived-mode-p 'codeplan-plan-mode) (equal run (plist-get codeplan--plan :run)))
        ;; Not from within the message that tells of it.
        (run-with-timer 0 nil (lambda () (when (buffer-live-p buffer) (with-current-buffer buffer (codeplan--refresh)))))))))

(defun codeplan-unfold ()
  "Show or hide what is below the row at point."
  (interactive nil codeplan-plan-mode codeplan-request-mode)
  (let ((row (get-text-property (point) 'codeplan-place)))
    (setf (alist-get (plist-get row :key) codeplan--folded nil nil #'equal) (not (codeplan--folded-p row)))
    (if (derived-mode-p 'codeplan-plan-mode) (codeplan--refresh) (codeplan--draw))))

(defun codeplan-next-row (&optional count)
  "Go to the next row that stands for something, or COUNT rows on.
Lines of a difference are passed by."
  (interactive "p" codeplan-plan-mode codeplan-request-mode)
  (let ((step (if (< (or count 1) 0) -1 1))
        (start (point)))
    (dotimes (_ (abs (or count 1)))
      (while (and (zerop (forward-line step))
                  (not (eobp))
                  (member (plist-get (get-text-property (point) 'codeplan-place) :kind) '(nil "added" "removed" "context"))
                  (not (bobp)))))
    (unless (get-text-property (point) 'codeplan-place) (goto-char start))))

(defun codeplan-previous-row (&optional count)
  "Go to the row before that stands for something, or COUNT rows back."
  (interactive "p" codeplan-plan-mode codeplan-request-mode)
  (codeplan-next-row (- (or count 1))))

(defun codeplan-again ()
  "Make the plan of this buffer again, asking for the values that it lacks."
  (interactive nil codeplan-plan-mode)
  (setq codeplan--plan (codeplan--make-plan codeplan--connection codeplan--asked))
  (codeplan--refresh))

(defun codeplan--buffer (name connection &optional mode)
  "A fresh buffer NAME in MODE, or `codeplan-plan-mode', on CONNECTION."
  (let ((root (codeplan--root (or buffer-file-name default-directory))))
    (with-current-buffer (get-buffer-create name)
      (funcall (or mode #'codeplan-plan-mode))
      (setq codeplan--connection connection
            codeplan--root root
            default-directory (file-name-as-directory root))
      (current-buffer))))

(defun codeplan--ask (open)
  "Ask for the value that OPEN lacks: one of its choices, or any expression."
  (let ((prompt (format "Value for %s (%s in %s): " (plist-get open :value) (plist-get open :block) (plist-get open :file)))
        (choices (append (codeplan--seq open :choices) (codeplan--seq open :choicesHere))))
    (if choices (completing-read prompt choices) (read-string prompt))))

(defun codeplan--only-here-p (open given)
  "Whether GIVEN is meant for the place of OPEN alone."
  (and (plist-get open :key)
       (or (member given (codeplan--seq open :choicesHere))
           (not (y-or-n-p (format "Pass %s for %s everywhere? " given (plist-get open :value)))))))

(defun codeplan--preview (connection asked &optional given)
  "The plan of what was ASKED, or if nil of the latest edit, on CONNECTION.
GIVEN is what the person said of values."
  (cond
   ((plist-get asked :words) (codeplan--carry-out connection (plist-get asked :words) given))
   (asked (codeplan--command connection "codeplan.refactor" (append (list :refactoring asked :preview t) given)))
   (t (codeplan--command connection "codeplan.preview" given))))

(defun codeplan--make-plan (connection &optional asked)
  "The plan of what was ASKED, or if nil of the latest edit, on CONNECTION.
Asks for the values that it lacks, each place once.  An empty answer
leaves all places that need the value.  Asks too whether to do what
takes consent."
  (let ((plan (codeplan--preview connection asked))
        known values accept open)
    (while (setq open (seq-find (lambda (one)
                                  (let ((name (plist-get one :value)))
                                    (and name (not (member name known)) (not (member (plist-get one :key) known)))))
                                (codeplan--seq plan :open)))
      (let* ((given (codeplan--ask open))
             (name (plist-get open :value))
             (key (if (and (not (string-empty-p given)) (codeplan--only-here-p open given)) (plist-get open :key) name)))
        (push key known)
        (unless (string-empty-p given)
          (setq values (plist-put values (intern (concat ":" key)) given)
                plan (codeplan--preview connection asked (list :values values))))))
    (when (setq open (seq-find (lambda (one) (plist-get one :accept)) (codeplan--seq plan :open)))
      (when (y-or-n-p (format "%s in %s: %s.  Drop it, with what callers pass? " (plist-get open :block) (plist-get open :file) (plist-get open :reason)))
        (setq accept (list :accept (vector (plist-get open :accept)))
              plan (codeplan--preview connection asked (if values (append (list :values values) accept) accept)))))
    (unless (or (codeplan--seq plan :steps) (codeplan--seq plan :open))
      (user-error (if (plist-get asked :words) "No edit came of the plan" "Nothing has to follow from the latest edit")))
    plan))

(defun codeplan--show-plan (connection &optional asked)
  "Show the plan of what was ASKED, or if nil of the latest edit, on CONNECTION."
  (let* ((plan (codeplan--make-plan connection asked))
         (buffer (codeplan--buffer "*codeplan*" connection)))
    (with-current-buffer buffer
      (setq codeplan--plan plan
            codeplan--asked asked)
      (codeplan--refresh)
      (goto-char (point-min))
      (forward-line 2))
    (pop-to-buffer buffer)))

;;;###autoload
(defun codeplan-plan (&optional request)
  "Show the edits that follow from the latest edit, for review.
With REQUEST, which a prefix argument asks for, show plans for that
request instead, as `codeplan-plan-request' does."
  (interactive (list (and current-prefix-arg (codeplan--read-request))))
  (if request
      (codeplan-plan-request request)
    (codeplan--show-plan (codeplan--here))))

;;;; A request in words: its plans, edited step by step, and carried out

(defcustom codeplan-search-options nil
  "How plans for a request are searched for, as a property list.
The names are those of `codeplan/planSearch', as in (:budget 40)."
  :type '(plist)
  :package-version '(codeplan . "0.1.0"))

(defvar-local codeplan--wanted nil
  "The request whose plans this buffer shows.")
(defvar-local codeplan--plans nil
  "The plans of this buffer, as the program writes them, best first.")
(defvar-local codeplan--said nil
  "What the program said of the search.")
(defvar-local codeplan--search nil
  "The name of the search that is under way.")

(defvar codeplan-request-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map "d" #'codeplan-request-strike)
    (define-key map "r" #'codeplan-request-reword)
    (define-key map "g" #'codeplan-request-ground)
    (define-key map "o" #'codeplan-request-add)
    (define-key map "m" #'codeplan-request-mark)
    (define-key map "w" #'codeplan-request-work)
    (define-key map "x" #'codeplan-request-carry-out)
    (define-key map "c" #'codeplan-request-stop)
    (define-key map (kbd "RET") #'codeplan-visit)
    (define-key map "n" #'codeplan-next-row)
    (define-key map "p" #'codeplan-previous-row)
    (define-key map (kbd "TAB") #'codeplan-unfold)
    map)
  "Keys of `codeplan-request-mode'.")

(define-derived-mode codeplan-request-mode special-mode "Codeplan request"
  "Show plans for a request in words, best first, to be edited."
  (setq-local next-error-function #'codeplan--next)
  (add-hook 'kill-buffer-hook #'codeplan--stop nil t)
  (setq codeplan--help "d strike out   r reword   g ground anew   o add   m mark   w what each asks for   x carry out   RET definition   TAB unfold   c stop   q quit"))

(defun codeplan--read-request ()
  "Ask for a request in words."
  (read-string "What is to be done: "))

(defun codeplan--look-up-options ()
  "Those of `codeplan-search-options' that hold for looking a step up too."
  (seq-mapcat (lambda (name)
                (when (plist-member codeplan-search-options name)
                  (list name (plist-get codeplan-search-options name))))
              '(:symbols :exclude :tests)))

(defun codeplan--show-progress (said)
  "Show SAID of the search of this buffer."
  (setq codeplan--rows (list :head (list (concat "searching for a plan: " codeplan--wanted) said)))
  (codeplan--draw))

(defun codeplan--show-plans (&rest edit)
  "Show the plans of this buffer, after EDIT of one of them."
  (let ((report (codeplan--request codeplan--connection :codeplan/planRows
                                   (append (list :plans (vconcat codeplan--plans))
                                           (when edit (list :edit edit))
                                           (codeplan--look-up-options)))))
    (setq codeplan--plans (codeplan--seq report :plans)
          codeplan--rows (list :head (append (codeplan--seq report :head) codeplan--said (codeplan--seq report :notes))
                               :rows (codeplan--seq report :rows)))
    (codeplan--draw)))

(defun codeplan--found (report)
  "Show the plans of REPORT in this buffer, which waited for them."
  (setq codeplan--search nil
        codeplan--said (delq nil (cons (plist-get report :message) (codeplan--seq report :notes)))
        codeplan--plans (mapcar (lambda (plan) (plist-get plan :text)) (codeplan--seq report :plans)))
  (if codeplan--plans
      (codeplan--show-plans)
    (let ((said codeplan--said))
      (kill-buffer)
      (message "codeplan: no plan was found%s" (if said (concat ": " (string-join said "; ")) "")))))

(defun codeplan--stop ()
  "End the search of this buffer, if one is under way; nil if none is."
  (when (and codeplan--search (codeplan--live-p))
    (let ((connection codeplan--connection)
          (search codeplan--search))
      (jsonrpc-async-request
       connection :codeplan/planStop (list :search search)
       :success-fn (lambda (report)
                     ;; Nothing is searched yet, or any more.
                     (unless (eq (plist-get report :stopped) t)
                       (jsonrpc-notify connection :window/workDoneProgress/cancel (list :token search))))))
    t))

;;;###autoload
(defun codeplan-plan-request (request)
  "Show plans for REQUEST: in words, what is to be done.
Each symbol is a link to its definition.  Steps can be struck out,
reworded and looked up anew, and the plan be carried out."
  (interactive (list (codeplan--read-request)))
  (when (string-blank-p request) (user-error "Say what is to be done"))
  (let* ((connection (codeplan--here))
         (search (format "emacs-%d-%d" (emacs-pid) (cl-incf codeplan--requests)))
         (name "*codeplan request*")
         (_ (when (get-buffer name) (kill-buffer name)))
         (buffer (codeplan--buffer name connection #'codeplan-request-mode)))
    ;; Later, since what answers is no place to ask the next question from.
    (cl-labels ((here (then) (remhash search codeplan--progress)
                  (run-at-time 0 nil (lambda () (when (buffer-live-p buffer) (with-current-buffer buffer (funcall then)))))))
      (with-current-buffer buffer
        (setq codeplan--wanted request
              codeplan--search search)
        (codeplan--show-progress ""))
      (puthash search
               (lambda (said)
                 (when (buffer-live-p buffer)
                   (with-current-buffer buffer
                     (when codeplan--search (codeplan--show-progress said)))))
               codeplan--progress)
      (jsonrpc-async-request
       connection :codeplan/planSearch
       (append (list :request request :search search :workDoneToken search)
               codeplan-search-options (list :plans 4 :purpose "change"))
       :timeout nil
       :success-fn (lambda (report) (here (lambda () (codeplan--found report))))
       :error-fn (lambda (refused)
                   (here (lambda ()
                           (setq codeplan--search nil)
                           (kill-buffer)))
                   (message "codeplan: %s" (plist-get refused :message)))))
    (pop-to-buffer buffer)))

(defun codeplan-request-stop ()
  "End the search with what is best so far."
  (interactive nil codeplan-request-mode)
  (unless (codeplan--stop) (user-error "No search is under way")))

(defun codeplan--row ()
  "The row at point, or an error."
  (or (get-text-property (point) 'codeplan-place) (user-error "Put point on a step")))

(defun codeplan--edit-step (as &optional to)
  "Do AS, with TO, to the step at point."
  (let ((row (codeplan--row)))
    (unless (or (plist-get row :step) (equal as "add")) (user-error "Put point on a step"))
    (apply #'codeplan--show-plans
           (append (list :plan (plist-get row :plan) :step (or (plist-get row :step) 0) :as as)
                   (when to (list :to to))))))

(defun codeplan-request-strike ()
  "Strike the step at point out, or take it back in.
On a symbol, take that one out of its step."
  (interactive nil codeplan-request-mode)
  (let ((symbol (plist-get (codeplan--row) :symbol)))
    (codeplan--edit-step (if symbol "drop" "strike") symbol)))

(defun codeplan-request-reword (words)
  "Give the step at point the words WORDS, and look it up anew."
  (interactive (list (read-string "What the step should say: "
                                  (or (plist-get (codeplan--row) :intent) (user-error "Put point on the line of the step"))))
               codeplan-request-mode)
  (codeplan--edit-step "reword" words))

(defun codeplan-request-ground ()
  "Look the step at point up anew."
  (interactive nil codeplan-request-mode)
  (codeplan--edit-step "ground"))

(defun codeplan-request-add (words)
  "Add a step with the words WORDS behind the one at point."
  (interactive (list (read-string "What another step should say: ")) codeplan-request-mode)
  (codeplan--edit-step "add" words))

(defun codeplan-request-mark (mark)
  "Mark the step at point with what it asks for: MARK.
That is `edit', `use', `create <path>:<name>', or nothing."
  (interactive (list (completing-read "The step asks to (edit, use, create <path>:<name>, or nothing): " '("edit" "use" "create")))
               codeplan-request-mode)
  (codeplan--edit-step "mark" mark))

(defun codeplan--plan-number ()
  "The number of the plan that point is in, else of the best."
  (unless codeplan--plans (user-error "There is no plan yet"))
  (or (plist-get (get-text-property (point) 'codeplan-place) :plan) 0))

(defun codeplan-request-work ()
  "Have the program say what each step of the plan at point asks for."
  (interactive nil codeplan-request-mode)
  (let* ((number (codeplan--plan-number))
         (report (codeplan--request codeplan--connection :codeplan/do
                                    (append (list :plan (nth number codeplan--plans) :stopAfter "work") codeplan-search-options))))
    (setf (nth number codeplan--plans) (plist-get report :text))
    (codeplan--show-plans)))

(defun codeplan--carry-out (connection words given)
  "The edits of the plan in WORDS, on CONNECTION.
GIVEN is what the person said of values."
  (let ((report (codeplan--request connection :codeplan/do (append (list :plan words) given codeplan-search-options))))
    (or (plist-get report :edits)
        (user-error "No edit came of the plan%s"
                    (mapconcat (lambda (work)
                                 (if (equal (plist-get work :state) "open")
                                     (format "; step %s: %s" (plist-get work :step) (plist-get work :reason))
                                   ""))
                               (codeplan--seq report :work) "")))))

(defun codeplan-request-carry-out ()
  "Carry the plan at point out, and show its edits for review."
  (interactive nil codeplan-request-mode)
  (codeplan--show-plan codeplan--connection (list :words (nth (codeplan--plan-number) codeplan--plans))))

;;;; Refactorings: the edit that is asked for, and all that follows, as a plan

(defun codeplan--units-before-point ()
  "The column of point in UTF-16 units."
  (let ((units 0))
    (dolist (character (string-to-list (buffer-substring-no-properties (line-beginning-position) (point))) units)
      (cl-incf units (if (> character #xffff) 2 1)))))

(defun codeplan--at-point (kind missing)
  "What of KIND can be refactored at point.
An error that says MISSING if nothing can."
  (or (plist-get (codeplan--request (codeplan--here) :codeplan/refactor/here
                                    (append (codeplan--where) (list :column (codeplan--units-before-point))))
                 kind)
      (user-error "Codeplan: %s" missing)))

;;;###autoload
(defun codeplan-rename (&optional to keep-exports)
  "Show the plan that gives what point is on the name TO.
It may be a block, a parameter or a variable.  With KEEP-EXPORTS, which a
prefix argument asks for, packages go on to export it under its old name."
  (interactive (list nil current-prefix-arg))
  (let* ((found (codeplan--at-point :rename "nothing here has a name that is known"))
         (name (plist-get found :name)))
    (codeplan--show-plan (codeplan--here)
                         (append (list :kind "rename" :block (plist-get found :block)
                                       :to (or to (read-string (format "Rename %s to: " name) name)))
                                 (and keep-exports '(:keepExports t))))))

;;;###autoload
(defun codeplan-move (&optional file)
  "Show the plan for the block around point to go to FILE.
It is relative to the root."
  (interactive)
  (let* ((found (codeplan--at-point :move "no block here can stand in a file by itself"))
         (default (or (plist-get found :to) (plist-get (codeplan--where) :file))))
    (codeplan--show-plan (codeplan--here)
                         (list :kind "move" :blocks (vector (plist-get found :block))
                               :to (or file (read-string (format "Move %s to file: " (plist-get found :name)) default))))))

;;;###autoload
(defun codeplan-change-signature (&optional parameters)
  "Show the plan that gives the function at point PARAMETERS.
All that it is to have, in order: `name: type = default' is a new one,
`old -> new' another name; what is not said goes."
  (interactive)
  (let ((found (codeplan--at-point :signature "no function is here")))
    (codeplan--show-plan (codeplan--here)
                         (list :kind "signature" :block (plist-get found :block)
                               :parameters (or parameters
                                               (read-string (format "Parameters of %s: " (plist-get found :name))
                                                            (plist-get found :parameters)))))))

;;;; The next place: where it is, what would change there, and what to do with it

(defvar codeplan--shown nil
  "The place that is shown: connection, what the program says of it, buffer.")
(defvar codeplan--overlays nil
  "What is shown beside the text.")

(defvar codeplan-next-repeat-map
  (let ((map (make-sparse-keymap)))
    (define-key map "n" #'codeplan-next)
    (define-key map "t" #'codeplan-take)
    (define-key map "s" #'codeplan-skip)
    (define-key map "d" #'codeplan-dismiss)
    (define-key map "v" #'codeplan-value)
    map)
  "Keys after `codeplan-next' where `repeat-mode' is on.")

(dolist (command '(codeplan-next codeplan-take codeplan-skip codeplan-dismiss codeplan-value))
  (put command 'repeat-map 'codeplan-next-repeat-map))

(defun codeplan--clear (&rest _)
  "Show nothing beside the text any more."
  (mapc #'delete-overlay codeplan--overlays)
  (setq codeplan--overlays nil)
  (when (buffer-live-p (nth 2 codeplan--shown))
    (with-current-buffer (nth 2 codeplan--shown)
      (remove-hook 'after-change-functions #'codeplan--clear t))))

(defun codeplan--overlay (from to &rest properties)
  "Show PROPERTIES between FROM and TO."
  (let ((overlay (make-overlay from to)))
    (while properties (overlay-put overlay (pop properties) (pop properties)))
    (push overlay codeplan--overlays)))

(defun codeplan--line-start (line)
  "Where LINE begins, counted from 1."
  (codeplan--point (list :line (1- line) :character 0)))

(defun codeplan--show-change (change)
  "Show CHANGE: mark lines that go, and put lines that come below."
  (let* ((from (codeplan--line-start (plist-get change :line)))
         (removed (codeplan--seq change :removed))
         (to (codeplan--line-start (+ (plist-get change :line) (length removed))))
         (added (mapconcat (lambda (line) (concat line "\n")) (codeplan--seq change :added) "")))
    (when removed (codeplan--overlay from to 'face 'diff-removed))
    (codeplan--overlay to to 'before-string (propertize added 'face 'diff-added))))

(defun codeplan--present (connection report)
  "Show REPORT from CONNECTION at the line of point."
  (let ((says (codeplan--seq report :says)))
    (codeplan--clear)
    (setq codeplan--shown (list connection report (current-buffer)))
    (codeplan--overlay (line-end-position) (line-end-position) 'after-string
                       (propertize (concat (format "  %s  (%s)" (car says) (plist-get report :standing))
                                           (mapconcat (lambda (line) (concat "\n  " line)) (cdr says) ""))
                                   'face 'shadow))
    (mapc #'codeplan--show-change (codeplan--seq (plist-get report :edit) :lines))
    ;; What was shown holds for this text alone.
    (add-hook 'after-change-functions #'codeplan--clear nil t)))

(defun codeplan--go-to (place)
  "Put point at PLACE, in its buffer."
  (goto-char (codeplan--point (list :line (1- (plist-get place :line)) :character (plist-get place :column)))))

(defun codeplan--show (connection report)
  "Go to the place of REPORT from CONNECTION, and show its edit there."
  (let* ((place (plist-get report :place))
         (root (codeplan--root (or buffer-file-name default-directory))))
    (pop-to-buffer-same-window (find-file-noselect (expand-file-name (plist-get place :file) root)))
    (unless codeplan-mode (codeplan-mode 1))
    (push-mark nil t)
    (codeplan--go-to place)
    (codeplan--present connection report)
    (unless (codeplan--planned-p report) (codeplan--follow-up connection report))))

(defun codeplan--planned-p (report)
  "Whether the edit of the place of REPORT is known, if there is one."
  (eq (plist-get report :planned) t))

(defun codeplan--at (place)
  "Where PLACE is, as the program counts."
  (list :file (plist-get place :file) :line (plist-get place :line) :column (plist-get place :column)))

(defun codeplan--present-later (shown tick later)
  "Show LATER, the whole answer for the place that was SHOWN at TICK.
Nothing is shown where another place is by then, or another text."
  (pcase-let ((`(,connection ,report ,buffer) shown))
    (when (and (eq codeplan--shown shown)
               (buffer-live-p buffer)
               (equal (plist-get (plist-get later :place) :id) (plist-get (plist-get report :place) :id)))
      (with-current-buffer buffer
        (when (= tick (buffer-chars-modified-tick))
          (save-excursion
            (codeplan--go-to (plist-get report :place))
            (codeplan--present connection later)))))))

(defun codeplan--follow-up (connection report)
  "Show the edit of the place of REPORT, once CONNECTION has worked it out."
  (let ((shown codeplan--shown)
        (tick (buffer-chars-modified-tick)))
    (jsonrpc-async-request
     connection :codeplan/next (codeplan--at (plist-get report :place))
     :timeout nil
     :success-fn (lambda (later) (codeplan--present-later shown tick later))
     :error-fn (lambda (refused) (message "codeplan: %s" (plist-get refused :message))))))

(defun codeplan--wait-for-plan ()
  "Wait until it is known what can be done at the place that is shown."
  (pcase codeplan--shown
    (`(,connection ,report ,buffer)
     (unless (or (codeplan--planned-p report) (not (buffer-live-p buffer)))
       (let ((shown codeplan--shown)
             (tick (with-current-buffer buffer (buffer-chars-modified-tick))))
         (codeplan--present-later
          shown tick (codeplan--request connection :codeplan/next (codeplan--at (plist-get report :place)))))))))

(defun codeplan--where ()
  "Where point is, as the program counts."
  (when buffer-file-name
    (list :file (file-relative-name (file-truename buffer-file-name) (codeplan--root buffer-file-name))
          :line (line-number-at-pos nil t))))

;;;###autoload
(defun codeplan-next ()
  "Go to the next place that is left, and show what would change there."
  (interactive)
  (codeplan--clear)
  (let* ((connection (codeplan--here))
         (report (codeplan--request connection :codeplan/next (append (codeplan--where) (list :early t)))))
    (setq codeplan--shown nil)
    (if (plist-get report :place)
        (codeplan--show connection report)
      (message "codeplan: %s" (string-join (codeplan--seq report :says) "\n")))))

(defun codeplan--shown-part (key)
  "The part KEY of what there is to know of the place that is shown."
  (unless codeplan--shown (user-error "No place is shown; `codeplan-next' goes to one"))
  (plist-get (nth 1 codeplan--shown) key))

;;;###autoload
(defun codeplan-take ()
  "Make the edit that is shown, and go on."
  (interactive)
  (codeplan--wait-for-plan)
  (let ((id (plist-get (codeplan--shown-part :place) :id)))
    (cond
     ((codeplan--shown-part :edit)
      (codeplan--clear)
      (when (eq (plist-get (codeplan--command (codeplan--here) "codeplan.take" (list :id id)) :applied) t)
        (codeplan-next)))
     ((codeplan--shown-part :asks) (codeplan-value))
     (t (user-error "Codeplan: %s" (car (last (codeplan--seq (nth 1 codeplan--shown) :says))))))))

(defun codeplan--decide (&rest decision)
  "Tell the program DECISION, and go on."
  (codeplan--request (codeplan--here) :codeplan/decide decision)
  (codeplan-next))

;;;###autoload
(defun codeplan-skip ()
  "Come by this place after all others."
  (interactive)
  (codeplan--decide :ids (vector (plist-get (codeplan--shown-part :place) :id)) :as "skipped"))

;;;###autoload
(defun codeplan-dismiss ()
  "This place need not follow."
  (interactive)
  (codeplan--decide :ids (vector (plist-get (codeplan--shown-part :place) :id)) :as "dismissed"))

;;;###autoload
(defun codeplan-value ()
  "Give what the place waits for, and show its edit."
  (interactive)
  (codeplan--wait-for-plan)
  (let* ((asks (codeplan--shown-part :asks))
         (name (plist-get asks :value)))
    (cond
     (name
      (let ((given (codeplan--ask asks)))
        (unless (string-empty-p given)
          (codeplan--decide :values (list (intern (concat ":" (if (codeplan--only-here-p asks given) (plist-get asks :key) name))) given)))))
     ((plist-get asks :accept)
      (when (y-or-n-p (format "%s.  Do it? " (plist-get asks :reason)))
        (codeplan--decide :accept (vector (plist-get asks :accept)))))
     (t (user-error "This place waits for no value")))))

;;;###autoload
(defun codeplan-list ()
  "List what is left, what breaks first."
  (interactive)
  (let* ((connection (codeplan--here))
         (report (codeplan--request connection :codeplan/left nil))
         (left (seq-remove (lambda (entry) (equal (plist-get entry :state) "dismissed")) (codeplan--seq report :entries)))
         (buffer (codeplan--buffer "*codeplan affected*" connection)))
    (with-current-buffer buffer
      (let ((inhibit-read-only t))
        (erase-buffer)
        (dolist (said (codeplan--seq report :says)) (insert said "\n"))
        (dolist (entry left)
          (let ((beside (plist-get entry :beside)))
            (codeplan--line (list :file (plist-get entry :file) :line (plist-get entry :line))
                            (format "%s:%s: %s %s: %s%s" (plist-get entry :file) (plist-get entry :line) (plist-get entry :tier)
                                    (plist-get entry :block) (plist-get entry :fact)
                                    (if (string-empty-p beside) "" (format " (%s)" beside))))))
        (dolist (place (codeplan--seq report :undecided))
          (codeplan--line place (format "%s:%s: not decided: %s" (plist-get place :file) (plist-get place :line) (plist-get place :reason))))
        (goto-char (point-min))))
    (display-buffer buffer)))

(defun codeplan--chosen ()
  "Step numbers of the row at point, or an error."
  (or (codeplan--seq (get-text-property (point) 'codeplan-place) :steps)
      (user-error "There is no step here")))

(defun codeplan--review (verdict-on-steps verdict-on-hunks)
  "Tell the program what is said of the row at point, and show the outcome.
That is VERDICT-ON-HUNKS of the hunk that the row is in, else
VERDICT-ON-STEPS of all steps that it stands for."
  (let ((steps (codeplan--chosen))
        (hunk (plist-get (get-text-property (point) 'codeplan-place) :hunk)))
    (codeplan--request codeplan--connection :codeplan/review
                       (append (list :run (plist-get codeplan--plan :run))
                               (if hunk
                                   (list verdict-on-hunks (vector (list :step (car steps) :hunk hunk)))
                                 (list verdict-on-steps (vconcat steps)))))
    (codeplan--refresh)))

(defun codeplan-accept ()
  "Take the hunk, step, group or file at point."
  (interactive nil codeplan-plan-mode)
  (codeplan--review :accept :acceptHunks))

(defun codeplan-reject ()
  "Leave the hunk, step, group or file at point out.
What only it causes goes with it."
  (interactive nil codeplan-plan-mode)
  (codeplan--review :reject :rejectHunks))

(defun codeplan-diff ()
  "Show the diff of the step at point."
  (interactive nil codeplan-plan-mode)
  (let ((step (codeplan--step (car (codeplan--chosen)))))
    (with-current-buffer (get-buffer-create "*codeplan diff*")
      (let ((inhibit-read-only t))
        (erase-buffer)
        (insert (plist-get step :diff)))
      (diff-mode)
      (setq buffer-read-only t)
      (display-buffer (current-buffer)))))

(defun codeplan-why ()
  "Say why the step at point is there, and what made it."
  (interactive nil codeplan-plan-mode)
  (let ((step (codeplan--step (car (codeplan--chosen)))))
    (message "%s\nfollows from %s%s" (plist-get step :reason)
             (string-join
              (delete-dups
               (mapcar (lambda (cause)
                         (let ((by (codeplan--step (plist-get cause :step)))) (if by (plist-get by :block) "your edit")))
                       (codeplan--seq step :causes)))
              ", ")
             (if (equal (plist-get step :how) "mechanical") (format "\nedited by rule %s" (plist-get step :rule)) ""))))

(defun codeplan-visit ()
  "Go to the place of this line."
  (interactive nil codeplan-plan-mode codeplan-request-mode)
  (let* ((row (get-text-property (point) 'codeplan-place))
         (place (or (plist-get row :place) row (user-error "There is no place here")))
         (line (or (plist-get place :line) 1)))
    (pop-to-buffer (find-file-noselect (expand-file-name (plist-get place :file) codeplan--root)))
    (goto-char (point-min))
    (forward-line (1- line))))

(defun codeplan--run (connection plan)
  "Make the edits of PLAN on CONNECTION, without those that were left out."
  (let ((result (codeplan--command connection "codeplan.propagate" (list :run (plist-get plan :run)))))
    (eq (plist-get result :applied) t)))

(defun codeplan-apply ()
  "Make all edits but the rejected ones, in buffers."
  (interactive nil codeplan-plan-mode)
  (unless codeplan--plan (user-error "There is no plan here; make one with `codeplan-plan'"))
  (when (codeplan--run codeplan--connection codeplan--plan)
    (quit-window t)))

;;;###autoload
(defun codeplan-propagate ()
  "Make all edits that follow from the latest edit."
  (interactive)
  (let* ((connection (codeplan--here))
         (plan (codeplan--make-plan connection)))
    (codeplan--run connection plan)))

;;;###autoload
(defun codeplan-undo ()
  "Take the last propagation back."
  (interactive)
  (codeplan--command (codeplan--here) "codeplan.undo"))

;;;###autoload
(defun codeplan-page ()
  "Show the latest plan as a page in the browser."
  (interactive)
  (browse-url (plist-get (codeplan--request (codeplan--here) :codeplan/page nil) :url)))

;;;###autoload
(defun codeplan-status ()
  "Say how far the index is."
  (interactive)
  (let ((status (codeplan--request (codeplan--here) :codeplan/status nil)))
    (message "codeplan %s: %s, %s files, %s blocks, %s" (plist-get status :version) (plist-get status :state)
             (plist-get status :files) (plist-get status :blocks) (plist-get status :root))))

(provide 'codeplan)
;;; codeplan.el ends here
