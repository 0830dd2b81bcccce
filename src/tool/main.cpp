// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `kast` program: picks the command and turns what it throws into an exit status and one line.
#include <algorithm>
#include <exception>
#include <iostream>
#include <new>

#include "Signals.hpp"
#include "Tool.hpp"

namespace {

using namespace Kast::Tool;

struct Command {
  std::string_view name;
  int (*run)(Arguments);
  std::string (*usage)();
  std::string_view purpose;
};

constexpr Command commands[] = {
    {"demo", demo, demo_usage, "the story's multiply in several forms on every backend, timed"},
    {"run", run, run_usage, "an operation on .npy files, with NumPy's result"},
    {"make", make, make_usage, "a .npy file of a given shape"},
    {"info", info, info_usage, "version, Kokkos, backends, compiler"},
};

std::string usage() {
  std::string text = "usage: kast COMMAND ...\n\ncommands:\n";
  for (const Command& command : commands) {
    text += "  " + std::string(command.name) + std::string(8 - command.name.size(), ' ') +
            std::string(command.purpose) + "\n";
  }
  return text + "\n'kast COMMAND --help' says more. Flags that begin with --kokkos- are handed to Kokkos.\n";
}

const Command* find_command(std::string_view name) {
  const auto* found = std::ranges::find(commands, name, &Command::name);
  return found == std::end(commands) ? nullptr : found;
}

bool asks_for_help(std::string_view word) { return word == "--help" || word == "-h" || word == "help"; }

/// The message of an exception on one line, whatever is in it.
std::string one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::ranges::replace_if(
      text, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  return text;
}

int refuse_call(const std::string& why, const std::string& how) {
  std::cerr << "kast: " << one_line(why) << '\n' << how;
  return 2;
}

int help(const std::vector<std::string>& words) {
  if (words.empty()) {
    std::cout << usage();
    return 0;
  }
  const Command* command = find_command(words.front());
  if (command == nullptr) return refuse_call("unknown command '" + words.front() + "'", usage());
  std::cout << command->usage();
  return 0;
}

int run_command(const Command& command, std::vector<std::string> words) {
  if (std::ranges::any_of(words, [](const std::string& word) { return word == "--help" || word == "-h"; })) {
    std::cout << command.usage();
    return 0;
  }
  try {
    return command.run(Arguments(std::move(words)));
  } catch (const UsageError& error) {
    return refuse_call(error.text, command.usage());
  } catch (const std::bad_alloc&) {
    std::cerr << "kast: out of memory\n";
  } catch (const std::exception& error) {
    std::cerr << "kast: " << one_line(error.what()) << '\n';
  }
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  install_signal_handlers();
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (words.empty()) {
    std::cerr << usage();
    return 2;
  }
  const std::string name = words.front();
  words.erase(words.begin());
  if (asks_for_help(name)) return help(words);
  const Command* command = find_command(name);
  if (command == nullptr) return refuse_call("unknown command '" + name + "'", usage());
  const int status = run_command(*command, std::move(words));
  std::cout.flush();
  if (!std::cout && status == 0) {
    std::cerr << "kast: the output cannot be written\n";
    return 1;
  }
  return status;
}
