// Package confine runs a program with as few rights as possible. It needs no other program and no
// privileges, and works where namespaces cannot be made, such as in most containers.
//
// The program that wants to confine another one starts itself again, by [Command]; the new process
// confines itself in [Enter], which main calls first, and becomes the other program. That has these
// rights:
//
//   - Files: to read and run what lies in the system's folders for programs and libraries, to read
//     what its standard input is, and what its [Rights] name. By Landlock; calls that change a
//     file's attributes, which Landlock does not cover, are denied by the filter.
//   - No sockets, no other process: it cannot start one, send it a signal or look into it. Programs
//     that serve others may listen on Unix sockets and start programs, which have the same rights.
//   - No capabilities and no way to get any, also as root.
//
// The filter of system calls (seccomp) lists what is denied, with EPERM, and denies all calls that
// are newer than it is.
package confine
