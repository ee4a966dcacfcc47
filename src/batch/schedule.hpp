// SPDX-License-Identifier: Apache-2.0
// Who does what: hands out rows, a few at a time, so that no thread waits for another and expanded keys are shared.
//
// A thread opens a group by expanding its key; the others help with an open group when no unopened one is left.  Rows that are
// taken while their key is still being expanded are worked on without, which takes no longer than to wait for it.
#pragma once
#include <pthread.h>
#include <stddef.h>

#include "batch/cache.hpp"
#include "batch/grouping.hpp"
#include "batch/memory.hpp"

namespace aioli {

// The place of one open group.  A thread uses one at most, so that there are as many as threads.
struct Slot {
  enum State { expanding, ready, without_key };
  State state;
  size_t first, left;     // rows of the group that nobody has taken, as positions
  size_t representative;  // a row whose key is the group's
  size_t users;           // threads; 0 if the slot is free
  bool has_key;           // there may be an expanded key in it
  void *memory, *key;     // of the expanded key; the memory stays for the next one
  bool dirty;             // the memory has held a key since it was wiped
  CachedKey *cached;      // whose key it is, if it is one of a cache
};

struct Piece {
  static constexpr size_t most_rows = 16;  // enough that the lock does not show, few enough that threads end together
  bool open;                               // expand the key of the thread's slot, and say so by `opened`; no rows yet
  bool with_key;
  size_t first, count;  // positions
};

class Schedule {
 public:
  // `keys`: how many expanded keys there may be at a time.
  Schedule(const Grouping &grouping, size_t count, size_t threads, size_t keys);
  ~Schedule();
  Schedule(const Schedule &) = delete;
  bool sound() const { return slots_.at != nullptr && has_lock_; }

  // What thread `me` is to do next, and with which slot (null for single rows); it keeps the slot that it was given the last
  // time.  False if nothing is left.  *emptied: a slot whose key nobody will need again, or null.
  bool next(Piece &piece, size_t me, Slot *&slot, Slot *&emptied);
  void opened(Slot &slot, bool with_key);

  size_t slots() const { return threads_; }
  Slot &slot(size_t i) { return slots_.at[i]; }

 private:
  size_t some(size_t left) const;
  void take(Piece &piece, Slot &slot) const;
  bool open_next(Piece &piece, Slot *&slot, Slot *free);
  Slot *free_slot(size_t me, bool has_key) const;
  Slot *fullest(bool ready) const;

  const Grouping &grouping_;
  size_t threads_;
  size_t next_group_ = 0, next_single_, end_;
  Allocation<Slot> slots_;
  pthread_mutex_t lock_;
  bool has_lock_;
};

}  // namespace aioli
