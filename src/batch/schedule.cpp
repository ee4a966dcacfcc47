// SPDX-License-Identifier: Apache-2.0
#include "batch/schedule.hpp"

#include "batch/locked.hpp"

namespace aioli {

Schedule::Schedule(const Grouping &grouping, size_t count, size_t threads, size_t keys)
    : grouping_(grouping), threads_(threads), next_single_(grouping.grouped()), end_(count), slots_(threads) {
  has_lock_ = pthread_mutex_init(&lock_, nullptr) == 0;
  if (slots_.at == nullptr) return;
  for (size_t i = 0; i < threads; i++) slots_.at[i] = {Slot::ready, 0, 0, 0, 0, i < keys, nullptr, nullptr, false, nullptr};
}

Schedule::~Schedule() {
  if (has_lock_) pthread_mutex_destroy(&lock_);
}

// Fewer towards the end, lest one thread has many left when the others have none.
size_t Schedule::some(size_t left) const {
  const size_t share = left / (2 * threads_);
  if (share == 0) return 1;
  return share < Piece::most_rows ? share : Piece::most_rows;
}

void Schedule::take(Piece &piece, Slot &slot) const {
  const size_t n = slot.state == Slot::expanding ? 1 : some(slot.left);
  piece = {false, slot.state == Slot::ready, slot.first, n};
  slot.first += n;
  slot.left -= n;
}

Slot *Schedule::free_slot(size_t me, bool has_key) const {
  Slot *const slots = slots_.at;
  if (slots[me].users == 0 && slots[me].has_key == has_key) return &slots[me];
  for (size_t i = 0; i < threads_; i++)
    if (slots[i].users == 0 && slots[i].has_key == has_key) return &slots[i];
  return nullptr;
}

// The open group with most rows left.
Slot *Schedule::fullest(bool ready) const {
  Slot *found = nullptr;
  for (size_t i = 0; i < threads_; i++) {
    Slot &s = slots_.at[i];
    if (s.users > 0 && s.left > 0 && (s.state == Slot::ready) == ready && (found == nullptr || s.left > found->left)) found = &s;
  }
  return found;
}

bool Schedule::open_next(Piece &piece, Slot *&slot, Slot *free) {
  const Group &g = grouping_.group(next_group_++);
  slot = free;
  slot->users = 1;
  slot->first = g.first;
  slot->left = g.count;
  slot->representative = grouping_.row(g.first);
  slot->state = slot->has_key ? Slot::expanding : Slot::without_key;
  slot->dirty = slot->has_key;
  if (slot->has_key)
    piece = {true, false, 0, 0};
  else
    take(piece, *slot);
  return true;
}

bool Schedule::next(Piece &piece, size_t me, Slot *&slot, Slot *&emptied) {
  const Locked locked(lock_);
  emptied = nullptr;
  if (slot != nullptr) {
    if (slot->left > 0) {
      take(piece, *slot);
      return true;
    }
    if (--slot->users == 0 && slot->dirty && next_group_ == grouping_.groups()) {
      slot->dirty = false;  // no group is left that could come into it
      emptied = slot;
    }
    slot = nullptr;
  }
  const bool groups_left = next_group_ < grouping_.groups();
  Slot *const free = groups_left ? free_slot(me, true) : nullptr;
  if (free != nullptr) return open_next(piece, slot, free);
  if (next_single_ < end_) {
    const size_t n = some(end_ - next_single_);
    piece = {false, false, next_single_, n};
    next_single_ += n;
    return true;
  }
  Slot *help = fullest(true);
  if (help == nullptr && groups_left) {
    // No memory for another expanded key, and none that is there could be shared.
    Slot *const place = free_slot(me, false);
    if (place != nullptr) return open_next(piece, slot, place);
  }
  if (help == nullptr) help = fullest(false);
  if (help == nullptr) return false;
  slot = help;
  slot->users++;
  take(piece, *slot);
  return true;
}

void Schedule::opened(Slot &slot, bool with_key) {
  const Locked locked(lock_);
  slot.state = with_key ? Slot::ready : Slot::without_key;
}

}  // namespace aioli
