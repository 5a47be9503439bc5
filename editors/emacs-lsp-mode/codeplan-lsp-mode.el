;;; codeplan-lsp-mode.el --- Codeplan as an add-on of lsp-mode  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 the codeplan authors

;; Author: the codeplan authors
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1") (lsp-mode "8.0.0"))
;; URL: https://arxiv.org/abs/2309.12499
;; Keywords: tools, languages
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; For those who use lsp-mode: codeplan runs as a further server of the
;; same buffers, beside the one for the language.  Hints come with the
;; other diagnostics, edits as code actions.  `codeplan-mode' is not
;; needed then; use one of the two.

;;; Code:

(require 'ht)
(require 'lsp-mode)

(defcustom codeplan-lsp-mode-command '("codeplan" "lsp")
  "The program and its arguments."
  :type '(repeat string)
  :group 'lsp-mode
  :package-version '(codeplan-lsp-mode . "0.1.0"))

(lsp-register-client
 (make-lsp-client
  :new-connection (lsp-stdio-connection (lambda () codeplan-lsp-mode-command))
  :activation-fn (lsp-activate-on "python" "typescript" "typescriptreact" "javascript" "javascriptreact" "java" "csharp")
  :add-on? t
  :priority -1
  :server-id 'codeplan))

(defun codeplan-lsp-mode--execute (command)
  "Have the server of this buffer carry out COMMAND."
  (let ((workspace (lsp-find-workspace 'codeplan (buffer-file-name))))
    (unless workspace (user-error "No codeplan server runs for this buffer"))
    (with-lsp-workspace workspace
      (lsp-request "workspace/executeCommand" (list :command command :arguments (vector (ht))) :no-wait nil))))

;;;###autoload
(defun codeplan-lsp-mode-propagate ()
  "Make all edits that follow from the latest edit."
  (interactive)
  (codeplan-lsp-mode--execute "codeplan.propagate"))

;;;###autoload
(defun codeplan-lsp-mode-undo ()
  "Take the last propagation back."
  (interactive)
  (codeplan-lsp-mode--execute "codeplan.undo"))

(provide 'codeplan-lsp-mode)
;;; codeplan-lsp-mode.el ends here
