#include <sqlite3.h>
#include <sys/stat.h>

// SQLITE_TRANSIENT is a cast that Swift does not import, and neither are macros with parameters and
// functions with any number of them.

static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return bytes ? sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT)
               : sqlite3_bind_zeroblob(statement, index, 0);
}

static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int count) {
  return sqlite3_bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}

// Triggers and views of other programs do nothing over this connection.
static inline void csqlite_ignore_triggers(sqlite3 *connection) {
  sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
#ifdef SQLITE_DBCONFIG_ENABLE_VIEW
  sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)0);
#endif
}

// Closing the connection writes nothing and deletes nothing.
static inline void csqlite_leave_files_on_close(sqlite3 *connection) {
  sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

// What is at a path.
struct csqlite_file {
  // 0 for nothing, 1 for a file, 2 for a folder, 3 for a device, 4 for a pipe, 5 for a socket.
  int kind;
  // Which file it is, and its size in bytes.
  unsigned long long device, number, size;
};

static inline struct csqlite_file csqlite_look(const char *path) {
  struct csqlite_file file = {0, 0, 0, 0};
  struct stat found;
  if (stat(path, &found) != 0) return file;
  file.device = (unsigned long long)found.st_dev;
  file.number = (unsigned long long)found.st_ino;
  file.size = found.st_size > 0 ? (unsigned long long)found.st_size : 0;
  switch (found.st_mode & S_IFMT) {
  case S_IFREG: file.kind = 1; break;
  case S_IFDIR: file.kind = 2; break;
#ifdef S_IFBLK
  case S_IFBLK: file.kind = 3; break;
#endif
#ifdef S_IFIFO
  case S_IFIFO: file.kind = 4; break;
#endif
#ifdef S_IFSOCK
  case S_IFSOCK: file.kind = 5; break;
#endif
  default: file.kind = 3;
  }
  return file;
}
